#include "import/convert.h"

#include "import/dae/dae_file.h"

bool dae_names_clips(const struct blob *file)
{
    struct dae_tag tag;
    for (const char *at = (const char *)file->data; dae_next_tag(at, &tag); at = tag.end)
        if (dae_tag_is(&tag, "animation_clip"))
            return true;
    return false;
}

/* Samplers have an id of their own, channels a node, and a number of its transforms that no other one moves. */
static bool check_items(const struct blob *blob, struct error *err)
{
    struct dae_file file;
    bool good = true;
    dae_file_read(blob, &file);
    for (size_t i = 0; i < file.count && good; i++) {
        const struct dae_item *item = &file.items[i], *before = i > 0 ? item - 1 : NULL;
        const int length = (int)item->id.length;
        bool same = before && before->kind == item->kind && dae_texts_are_one(before->id, item->id);
        if (item->kind == DAE_SAMPLER && !item->id.data)
            good = error_set(err, "a sampler has no id");
        else if (item->kind == DAE_SAMPLER && same)
            good = error_set(err, "two samplers have the id \"%.*s\"", length, item->id.data);
        if (item->kind != DAE_CHANNEL)
            continue;
        if (!item->id.data)
            good = error_set(err, "a channel has no target");
        else if (!item->sid.data)
            good = error_set(err, "the channel on \"%.*s\" moves no node", length, item->id.data);
        else if (same && dae_texts_are_one(before->sid, item->sid) &&
                 (before->member.length == 0 || dae_texts_are_one(before->member, item->member)))
            good = error_set(err, "two channels move \"%.*s/%.*s\"", length, item->id.data,
                             (int)(before->sid.length + before->member.length), before->sid.data);
    }
    dae_file_close(&file);
    return good;
}

struct joining {
    struct text *out;
    unsigned libraries;
    bool inside; /* of <library_animations> */
    bool begun;  /* an <animation> is open */
};

/* Writes the tag or leaves it out. */
static void join_tag(struct joining *j, const struct dae_tag *tag)
{
    bool keep = true;
    if (dae_tag_is(tag, "library_animations")) {
        if (tag->closes && j->begun)
            text_add(j->out, "</animation>");
        j->inside = !tag->closes && !tag->empty;
        j->libraries += j->inside;
        j->begun = j->begun && !tag->closes;
    } else if (j->inside && dae_tag_is(tag, "animation")) {
        keep = !j->begun && !tag->closes && !tag->empty;
        j->begun = j->begun || keep;
    }
    text_add_bytes(j->out, tag->begin, keep ? (size_t)(tag->end - tag->begin) : 0);
}

bool dae_join_animations(const struct blob *file, struct text *out, struct error *err)
{
    struct joining j = {.out = out};
    struct dae_tag tag;
    const char *at = (const char *)file->data;
    if (!check_items(file, err))
        return false;
    for (; dae_next_tag(at, &tag); at = tag.end) {
        text_add_bytes(out, at, (size_t)(tag.begin - at));
        join_tag(&j, &tag);
    }
    text_add(out, at);
    return j.libraries == 1 || error_set(err, j.libraries ? "there is more than one <library_animations>"
                                                          : "no <library_animations> is found");
}
