#include "animate/transition.h"

#include <math.h>

bool transition_check(const struct transition *transitions, uint32_t count, struct error *err)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct transition *t = &transitions[i];
        if (!(t->start >= 0))
            return error_set(err, "a transition at %g s begins before the timeline", t->start);
        if (!(t->end >= t->start))
            return error_set(err, "a transition from %g to %g s ends before it begins", t->start, t->end);
        if (i > 0 && !(t->start >= t[-1].end))
            return error_set(err,
                             "a transition begins at %g s, before the one before has ended at %g s; list them in order",
                             t->start, t[-1].end);
    }
    return true;
}

struct fade transition_at(const struct transition *transitions, uint32_t count, double time)
{
    uint32_t begun = 0;
    while (begun < count && time >= transitions[begun].start)
        begun++;
    if (begun == 0)
        return (struct fade){0, 0, 1};
    const struct transition *t = &transitions[begun - 1];
    double weight = time >= t->end ? 1 : (time - t->start) / (t->end - t->start);
    return (struct fade){begun - 1, begun, weight};
}

double transition_duration(const struct transition *transitions, uint32_t count, double last_duration)
{
    if (count == 0)
        return last_duration;
    return fmax(transitions[count - 1].start + last_duration, transitions[count - 1].end);
}
