#ifndef RIGPROOF_CLI_COMMAND_H
#define RIGPROOF_CLI_COMMAND_H

#include "base/error.h"

/*
 * One cmd_*.c per command. argv[0] is the command's name. Each returns the exit code; on failure err is set and main
 * prints it.
 */
struct command {
    const char *name;
    const char *operands;
    const char *summary; /* one line for the list of commands */
    enum exit_code (*run)(int argc, char **argv, struct error *err);
};

extern const struct command command_table[];
extern const unsigned command_count;

enum exit_code cmd_inspect(int argc, char **argv, struct error *err);
enum exit_code cmd_render(int argc, char **argv, struct error *err);
enum exit_code cmd_turntable(int argc, char **argv, struct error *err);
enum exit_code cmd_dump(int argc, char **argv, struct error *err);
enum exit_code cmd_report(int argc, char **argv, struct error *err);
enum exit_code cmd_check(int argc, char **argv, struct error *err);
enum exit_code cmd_accept(int argc, char **argv, struct error *err);
enum exit_code cmd_diff(int argc, char **argv, struct error *err);
enum exit_code cmd_doctor(int argc, char **argv, struct error *err);

#endif
