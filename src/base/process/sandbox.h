#ifndef RIGPROOF_BASE_SANDBOX_H
#define RIGPROOF_BASE_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Takes away from a child process what reading a file does not need (see SECURITY.md). A system call that would reach out
 * of it (network, another program or process, writing, changing the file system) ends it with SIGSYS after a line on
 * stderr that names the call; any other that is not known to be needed fails with ENOSYS.
 */

/*
 * For good. Files that are open besides stdin, stdout, stderr and `keep` are closed, none can be written to, none dumps
 * core. What the system or the build does not offer is left out. Call it before the process has threads.
 */
void sandbox_enter(int keep);

/* Whether a child can be kept from those system calls here; if not, `why` says what to do. Tries it in a child. */
bool sandbox_works(const char **why);

#endif
