#define _DEFAULT_SOURCE /* mkstemps */

#include "review/browser.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file/file.h"
#include "base/log.h"
#include "base/text.h"

extern char **environ;

void browser_open(struct browser *browser, const char *url)
{
    struct text page = {0};
    char program[] = "xdg-open";
    posix_spawn_file_actions_t actions;
    strcpy(browser->path, "/tmp/rigproof-review-XXXXXX.html");
    int fd = mkstemps(browser->path, 5); /* readable by its owner alone */
    text_addf(&page, "<!doctype html><meta charset=\"utf-8\"><meta name=\"referrer\" content=\"no-referrer\">"
                     "<meta http-equiv=\"refresh\" content=\"0; url=%s\"><a href=\"%s\">rigproof review</a>\n", url, url);
    bool good = fd >= 0 && write_all(fd, page.data, page.size);
    text_release(&page);
    if (fd >= 0)
        close(fd);
    else
        browser->path[0] = '\0';
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
    int failed = good ? posix_spawnp(&browser->pid, program, &actions, NULL,
                                     (char *[]){program, browser->path, NULL}, environ) : errno;
    posix_spawn_file_actions_destroy(&actions);
    if (failed)
        log_warning("--open: xdg-open cannot be started: %s", strerror(failed));
    browser->pid = failed ? 0 : browser->pid;
}

void browser_close(struct browser *browser)
{
    if (browser->pid > 0)
        waitpid(browser->pid, NULL, WNOHANG);
    if (browser->path[0])
        unlink(browser->path);
}
