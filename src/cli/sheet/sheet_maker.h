#pragma once

#include "cli/sheet/sheet_before.h"
#include "data/image/sheet.h"

/* Draws the tiles of a sheet, model after model: no more than one is in memory, beside the sheet. */

struct sheet_maker {
    const struct sheet_request *request;
    struct sheet *sheet;
    const char *camera_file; /* for the first tile's camera; NULL */
    const char *film;        /* of the one model, each of whose tiles plays its times over and over; NULL: none */
    struct late_renderer late;
    size_t failed;            /* models of several */
    size_t compared, different;
    double worst; /* the largest share of the foreground that differs, */
    char *worst_heading;
};

/* Adds the model's rows, or writes the film. False with err set; one of several that fails has a tile of it. */
bool sheet_add_model(struct sheet_maker *maker, const char *model, struct error *err);
