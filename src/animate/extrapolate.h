#ifndef RIGPROOF_ANIMATE_EXTRAPOLATE_H
#define RIGPROOF_ANIMATE_EXTRAPOLATE_H

/*
 * Linear extrapolation: the line through two keys, at u = 0 the first and at u = 1 the second, any u. Rare, so one
 * curve at a time and in double.
 */

void extrapolate_vector(const float from[3], const float to[3], double u, float out[3]);

/* Goes on along the shortest arc between the two at constant angular speed, round and round if need be. */
void extrapolate_rotation(const float from[4], const float to[4], double u, float out[4]);

#endif
