#ifndef RIGPROOF_REVIEW_SERVER_H
#define RIGPROOF_REVIEW_SERVER_H

#include "review/session.h"

/*
 * A review in a browser: the report's page with buttons, from a server on 127.0.0.1 that knows nobody but who has the token in
 * its address. It ends by itself: when the page says so, a while after all is decided, when the page was closed, or after
 * `timeout` seconds of nobody; and on SIGINT, SIGTERM and SIGHUP.
 */
struct review_service {
    unsigned port;      /* 0: any that is free */
    double timeout;     /* seconds */
    bool opens_browser; /* by xdg-open */
};

/* `folder`: what the results' pictures are seen from. Prints the address, and what is accepted, on stdout. False with err set
 * when it cannot listen. */
bool review_serve(struct review *review, const char *folder, const struct review_service *service, struct error *err);

#endif
