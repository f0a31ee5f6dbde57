#pragma once

#include <signal.h>

/* SIGHUP, SIGINT and SIGTERM: people and systems end a process by them. One that is ignored (nohup) stays ignored. */

/* From now on the handler answers those that are not ignored; SIG_DFL ends the process. `flags` are sigaction()'s. */
void stop_signals_catch(void (*handler)(int number), int flags);

/* Those that are not ignored. */
sigset_t stop_signals_set(void);
