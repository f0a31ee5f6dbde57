#ifndef RIGPROOF_CLI_TERMINAL_QUERY_H
#define RIGPROOF_CLI_TERMINAL_QUERY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the terminal of this process says of itself. */
struct terminal_answers {
    bool has_answered; /* to the question that every terminal answers */
    bool knows_kitty;  /* its graphics protocol */
    bool knows_sixel;
    uint32_t cell_width, cell_height; /* of a character, pixels; 0: not said */
};

/*
 * Asks for kitty's graphics (unless that might be shown instead of understood), the size of a character (XTWINOPS 16) and the device
 * attributes (DA1), which come last and end the waiting, as do `milliseconds`. The terminal does not echo meanwhile, and is
 * as it was afterwards, also after a signal; what was typed in that time is lost. Nothing is asked where there is no terminal, or
 * where this process is in its background.
 */
struct terminal_answers terminal_ask(bool asks_kitty, int milliseconds);

/* What is in such answers. Anything may be between them. */
struct terminal_answers terminal_parse(const char *text, size_t size);

#endif
