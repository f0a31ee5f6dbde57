#ifndef RIGPROOF_REVIEW_BROWSER_H
#define RIGPROOF_REVIEW_BROWSER_H

/*
 * Opens an address that is a secret: the arguments of a program can be read by everybody on a machine, so the browser gets a
 * file that nobody else can read and that leads there.
 */
struct browser {
    char path[64]; /* "" without one */
    int pid;
};

/* Warns when it does not work: the address is printed all the same. */
void browser_open(struct browser *browser, const char *url);
void browser_close(struct browser *browser);

#endif
