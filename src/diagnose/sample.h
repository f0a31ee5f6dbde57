#pragma once

#include "diagnose/variant.h"

/* Samples a channel at a time, in double, by the variant's switches, and makes the node's local matrix of it. */
void sample_channel(const struct variant *variant, const struct node *node, const struct channel *channel,
                    const struct node *channel_node, double time, struct local_parts *out);

/* One key that is the node's own: Assimp puts it where a channel of glTF has nothing for a component. */
bool sample_is_filled(const struct node *node, const struct channel *channel, enum component component);

/* The node with the quaternion of its rest pose read as the variant has it. */
void sample_turn_rest(const struct variant *variant, struct node *node);

/* The matrix of some components (bits) of a local transform; the others are the identity. */
struct matrix sample_components(const struct local_parts *local, unsigned components);

/* Applies what is wrong with translation, rotation and scale once they are there, and makes their matrix. */
void sample_compose(const struct variant *variant, const struct node *node, struct local_parts *local);
