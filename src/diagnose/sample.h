#pragma once

#include "diagnose/way.h"

/* Samples a channel at a time, in double, by the way's switches, and makes the node's local matrix of it. */
void sample_channel(const struct way *way, const struct node *node, const struct channel *channel, double time,
                    struct way_local *out);

/* What is wrong with translation, rotation and scale once they are there, and their matrix. */
void sample_compose(const struct way *way, const struct node *node, struct way_local *local);
