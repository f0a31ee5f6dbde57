/* The manual page says what --help says, and man(1) can show it. */
#define _POSIX_C_SOURCE 200809L /* strndup */

#include "cmocka_setup.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "run_binary.h"

static const char *const groups[] = {"pose", "times", "picture", "import"};

static const char *page(void)
{
    return rigproof_good("help", "--man")->out;
}

/* From ".SS check" to the next heading. */
static const char *section(const char *manual, const char *name)
{
    struct text heading = {0};
    text_addf(&heading, "\n.SS %s\n", name);
    const char *start = strstr(manual, text_string(&heading));
    if (!start)
        fail_msg("the manual has no section %s", name);
    text_release(&heading);
    const char *end = strstr(start + 1, "\n.S");
    return keep(end ? strndup(start, (size_t)(end + 1 - start)) : strdup(start));
}

/* "\fB\-\-dry\-run\fR" for "--dry-run". */
static bool has_option(const char *text, const char *option, size_t length)
{
    struct text roff = {0};
    text_add(&roff, "\\fB");
    for (size_t i = 0; i < length; i++)
        text_addf(&roff, "%s%c", option[i] == '-' ? "\\" : "", option[i]);
    text_add(&roff, "\\fR");
    bool has = strstr(text, text_string(&roff)) != NULL;
    text_release(&roff);
    return has;
}

/* In the command's own section, or in that of a group of settings which it names. */
static bool explains(const char *manual, const char *command, const char *option, size_t length)
{
    const char *own = section(manual, command);
    bool has = has_option(own, option, length);
    for (size_t i = 0; !has && i < sizeof groups / sizeof groups[0]; i++) {
        char name[32];
        snprintf(name, sizeof name, "\n.B %s", groups[i]);
        has = strstr(own, name) && has_option(section(manual, groups[i]), option, length);
    }
    return has;
}

static size_t check_command(const char *manual, const char *command)
{
    enum { COLUMN = 6 }; /* of "--all" in a line of options, whether it has a letter or not */
    size_t found = 0;
    for (const char *line = rigproof_good(command, "--help")->out; line; line = strchr(line, '\n'), line += line != NULL) {
        const char *option = strncmp(line, "  ", 2) == 0 && strcspn(line, "\n") > COLUMN ? line + COLUMN : "";
        size_t length = strspn(option, "-abcdefghijklmnopqrstuvwxyz");
        if (strncmp(option, "--", 2) != 0 || strncmp(line, "  -h", 4) == 0)
            continue;
        found++;
        if (!explains(manual, command, option, length))
            fail_msg("%.*s of %s is not in the manual", (int)length, option, command);
    }
    return found;
}

static void manual_has_every_option_of_every_command(void **state)
{
    (void)state;
    const char *manual = page();
    size_t commands = 0, options = 0;
    for (const char *line = rigproof_good("--help")->out; line; line = strchr(line, '\n'), line += line != NULL) {
        char name[32] = "";
        if (sscanf(line, "  %31[a-z]", name) != 1 || strncmp(line, "  ", 2) != 0)
            continue;
        commands++;
        options += check_command(manual, name);
    }
    assert_int_equal(commands, 9);
    assert_true(options > 150);
}

static void manual_has_its_sections_in_order(void **state)
{
    (void)state;
    static const char *const sections[] = {"NAME",        "SYNOPSIS", "DESCRIPTION", "COMMANDS", "SETTINGS",
                                           "EXIT STATUS", "ENVIRONMENT", "FILES", "EXAMPLES", "SEE ALSO"};
    const char *at = page();
    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++) {
        char heading[32];
        snprintf(heading, sizeof heading, "\n.SH %s\n", sections[i]);
        at = strstr(at, heading);
        if (!at)
            fail_msg("%s is not where it belongs", sections[i]);
    }
}

/* Of a suite, two options are for the command line alone. */
static void manual_tells_which_settings_are_no_keys(void **state)
{
    (void)state;
    assert_contains(page(), "A suite has keys of the same names for its cases, but for\n.B \\-\\-backend,\n.B \\-\\-sheet\n");
}

static bool is_installed(const char *program)
{
    char command[64];
    snprintf(command, sizeof command, "command -v %s >/dev/null", program);
    return system(command) == 0;
}

static void manual_renders_without_warnings(void **state)
{
    (void)state;
    size_t size = 0;
    spill("rigproof.1", page());
    if (!is_installed("groff") && !is_installed("mandoc"))
        skip();
    if (is_installed("groff")) {
        assert_int_equal(system("groff -man -ww -Tascii rigproof.1 >page.txt 2>warnings.txt"), 0);
        assert_string_equal(slurp("warnings.txt", NULL), "");
        slurp("page.txt", &size);
        assert_true(size > 10000);
    }
    if (is_installed("mandoc"))
        assert_int_equal(system("mandoc -T lint -W warning rigproof.1"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        scratch_test(manual_has_every_option_of_every_command),
        scratch_test(manual_has_its_sections_in_order),
        scratch_test(manual_tells_which_settings_are_no_keys),
        scratch_test(manual_renders_without_warnings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
