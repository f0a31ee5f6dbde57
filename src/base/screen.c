#include "base/screen.h"

#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/utf8.h"

struct terminal_size terminal_size(FILE *stream)
{
    struct winsize size = {0};
    const int fd = fileno(stream);
    const bool is_known = isatty(fd) && ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return is_known ? (struct terminal_size){size.ws_col, size.ws_row} : (struct terminal_size){0, 0};
}

/* The bytes of the next character; `width` becomes 0 for an escape sequence. */
static size_t next_character(const char *c, unsigned *width)
{
    const bool is_escape = c[0] == '\x1b' && c[1] == '[';
    const size_t letter = is_escape ? 2 + strcspn(c + 2, "mKABCDHJ\n") : 0, length = utf8_length(c);
    *width = !is_escape;
    return is_escape ? letter + (c[letter] && c[letter] != '\n') : length > 0 ? length : 1;
}

/* Returns where lines go on that follow a line, and where its value begins; `columns` is at least 1. */
static unsigned find_hang(const char *line, unsigned columns, unsigned hang, const char **value)
{
    enum { LABEL = 40, DEEP = 8 };
    const unsigned lead = (unsigned)strspn(line, " ");
    unsigned at = lead, width;
    const char *c = line + lead;
    *value = c;
    while (*c && *c != '\n' && at < lead + LABEL && at < columns / 2) {
        if (c[0] == ' ' && c[1] == ' ') {
            const size_t blanks = strspn(c, " ");
            *value = c + blanks;
            return at + (unsigned)blanks < columns / 2 ? at + (unsigned)blanks : lead + hang;
        }
        c += next_character(c, &width);
        at += width;
    }
    return lead >= DEEP ? lead : lead + hang;
}

/* A line without its end. */
static void add_line(struct text *out, const char *line, size_t length, unsigned columns, unsigned plain)
{
    static const char command[] = "rigproof ";
    const char *end = line + length, *from = line, *value;
    const unsigned hang = find_hang(line, columns, plain, &value);
    unsigned used = 0, width;
    const char *blank = NULL; /* where the line may be broken */
    while (*value == '\x1b' && value < end)
        value += next_character(value, &width);
    const bool is_command = length > 0 && end[-1] != '.' && strncmp(value, command, strlen(command)) == 0;
    for (const char *c = line; c < end && !is_command;) {
        if (*c == ' ' && used > hang)
            blank = c;
        c += next_character(c, &width);
        used += width;
        if (used <= columns || !blank)
            continue;
        text_add_bytes(out, from, (size_t)(blank - from));
        text_addf(out, "\n%*s", (int)hang, "");
        c = from = blank + strspn(blank, " ");
        used = hang;
        blank = NULL;
    }
    text_add_bytes(out, from, from < end ? (size_t)(end - from) : 0);
}

void text_add_wrapped(struct text *out, const char *text, unsigned columns, unsigned hang)
{
    for (const char *line = text; *line;) {
        const size_t length = strcspn(line, "\n");
        if (columns == 0)
            text_add_bytes(out, line, length);
        else
            add_line(out, line, length, columns, hang);
        line += length;
        text_add(out, *line ? "\n" : "");
        line += *line == '\n';
    }
}

bool terminal_print(const char *text, FILE *stream)
{
    SCOPED(text) wrapped = {0};
    text_add_wrapped(&wrapped, text, terminal_size(stream).columns, 2);
    return fwrite(text_string(&wrapped), 1, wrapped.size, stream) == wrapped.size && fflush(stream) == 0;
}
