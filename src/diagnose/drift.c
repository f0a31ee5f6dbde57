/* Says what is left beside a cause: keys that were rounded or resampled, or a second cause that does little. */
#include <math.h>

#include "diagnose/search.h"

struct drift find_drift(const struct search *search, const struct way *way, const struct score *score)
{
    struct drift drift = {.size = score->worst};
    double least = fmin(fmax(search->evidence->tolerance, 0.2 * score->worst), 0.5 * score->worst);
    for (uint32_t f = 0; f < search->known && !way->of_node; f++) {
        const struct form *form = &search->list.forms[f];
        struct way both;
        if (!way_join(way, &form->way, &both))
            continue;
        const struct score then = evidence_score(search->evidence, search->replay, &both, 1);
        if (then.said == score->said && then.worst < least) {
            least = then.worst;
            drift.like = cause_table[form->cause].id;
            drift.detail = form->detail;
        }
    }
    return drift;
}
