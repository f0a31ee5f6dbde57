#ifndef RIGPROOF_TESTS_REPORT_XML_CHECK_H
#define RIGPROOF_TESTS_REPORT_XML_CHECK_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Whether a text is well-formed XML, as far as our writers use it: elements, quoted attributes, entities. */

enum { XML_DEPTH = 16 };

struct xml_check {
    const char *at;
    char open[XML_DEPTH][32];
    int depth;
    const char *fault; /* NULL: none yet */
};

static bool xml_is_character(unsigned char c)
{
    return c >= 0x20 || c == '\t' || c == '\n';
}

static void xml_entity(struct xml_check *xml)
{
    static const char *const known[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
    for (int i = 0; i < 5; i++)
        if (strncmp(xml->at, known[i], strlen(known[i])) == 0) {
            xml->at += strlen(known[i]);
            return;
        }
    xml->fault = "an entity nobody knows";
}

/* Characters and entities up to one of `ends`. */
static void xml_characters(struct xml_check *xml, const char *ends)
{
    while (!xml->fault && *xml->at && !strchr(ends, *xml->at)) {
        if (*xml->at == '&')
            xml_entity(xml);
        else if (!xml_is_character((unsigned char)*xml->at) || *xml->at == '<')
            xml->fault = "a character that may not be there";
        else
            xml->at++;
    }
}

static void xml_name(struct xml_check *xml, char out[static 32])
{
    size_t n = strspn(xml->at, "abcdefghijklmnopqrstuvwxyz-");
    if (n == 0 || n >= 32)
        xml->fault = "no name";
    else
        snprintf(out, 32, "%.*s", (int)n, xml->at);
    xml->at += n;
}

static void xml_tag(struct xml_check *xml)
{
    char name[32] = "", attribute[32] = "";
    bool closing = *++xml->at == '/';
    xml->at += closing;
    xml_name(xml, name);
    while (!xml->fault && !closing && *xml->at == ' ') {
        xml->at++;
        xml_name(xml, attribute);
        if (strncmp(xml->at, "=\"", 2) != 0)
            xml->fault = "no value of an attribute";
        xml->at += 2;
        xml_characters(xml, "\"");
        xml->at++;
    }
    bool empty = *xml->at == '/';
    xml->at += empty;
    if (!xml->fault && *xml->at++ != '>')
        xml->fault = "a tag without an end";
    if (closing && (xml->depth == 0 || strcmp(xml->open[--xml->depth], name) != 0))
        xml->fault = "another element was open";
    if (!closing && !empty && xml->depth < XML_DEPTH)
        snprintf(xml->open[xml->depth++], 32, "%s", name);
}

/* NULL, or what is wrong and where. */
static const char *xml_fault(const char *text)
{
    static char message[128];
    static const char declaration[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    if (strncmp(text, declaration, strlen(declaration)) != 0)
        return "no declaration";
    struct xml_check xml = {.at = text + strlen(declaration)};
    while (!xml.fault && *xml.at) {
        if (*xml.at == '<')
            xml_tag(&xml);
        else
            xml_characters(&xml, "<");
    }
    if (!xml.fault && xml.depth > 0)
        xml.fault = "an element is not closed";
    if (!xml.fault)
        return NULL;
    snprintf(message, sizeof message, "%s, before: %.60s", xml.fault, xml.at);
    return message;
}

#endif
