#pragma once

#include "base/text.h"

/* Text of unknown origin made harmless for where it goes; for a terminal and a log there is text_add_name(). What is
 * not UTF-8 becomes U+FFFD in all of them. */

/* For XML and HTML, in content and in quoted attributes: & < > " ', hidden characters and what XML 1.0 has none for.
 * Line breaks and tabs stay. */
void escape_markup(const char *value, struct text *out);
/* The same on one line, as text_add_name() has it. */
void escape_markup_line(const char *value, struct text *out);

/* For JSON inside a <script>: no '<', '>', '&', U+2028 or U+2029 is left; they only occur in strings. */
void escape_script(const char *json, struct text *out);

/* For the message and for a property of a GitHub workflow command. */
void escape_workflow_data(const char *value, struct text *out);
void escape_workflow_property(const char *value, struct text *out);

/* A word of a command line for a POSIX shell, in quotes where it needs them, or always. */
void escape_shell(const char *value, struct text *out);
void escape_shell_quoted(const char *value, struct text *out);
