/* Findings and verdicts are said in these sentences. */
#include "cmocka_setup.h"

#include "compare/compare.h"
#include "report/sentences.h"

struct verdict {
    struct arena *arena;
    struct findings findings;
    struct judge_facts facts;
    struct case_result result;
    struct time_result times[2];
};

static struct verdict begin(void)
{
    static struct arena *last;
    arena_destroy(last);
    last = arena_require((size_t)1 << 20);
    struct verdict v = {.arena = last, .findings = {.arena = last, .unit_meters = 1}};
    v.times[0] = (struct time_result){.label = "0.250", .time = 0.25};
    for (int s = 0; s < STAGE_COUNT; s++)
        v.facts.compared[s] = true;
    return v;
}

static void judge_and_say(struct verdict *v)
{
    v->result.times = v->times;
    v->result.time_count = 1;
    judge_case(&v->findings, &v->facts, &v->result);
    report_say(&v->result, v->arena);
}

/* A bone of a mesh that is off by 1.2 cm at 0.250 s. */
static struct finding off(enum finding_code code)
{
    struct finding finding = finding_of(code);
    finding.subject = "hand.L";
    finding.mesh = "body #1";
    finding.time = 0.25;
    finding.distance = 0.012;
    finding.displacement = 0.009;
    finding.degrees = 3.2;
    finding.translation = 0;
    finding.scale_percent = 0;
    finding.reach = 0.5;
    return finding;
}

static void says(struct finding finding, const char *sentence)
{
    struct verdict v = begin();
    findings_put(&v.findings, &finding);
    judge_and_say(&v);
    assert_string_equal(v.result.findings[0].text, sentence);
}

#define CHANGED(finding, ...) (finding = off(CODE_ENTRY), __VA_ARGS__, finding)

TEST(templates_are_filled_in)
{
    static const char *also[] = {"b", "c"};
    struct finding f;
    says(off(CODE_ENTRY), "bone `hand.L` (mesh `body` #1) is off by 1.2 cm (0.9 % of the model's radius) at 0.250 s: 3.2°");
    says(CHANGED(f, f.why = WHY_OTHER_BONE, f.other = "hand.R", f.part = "beside", f.axis = "-x"),
         "bone `hand.L` (mesh `body` #1) is off by 1.2 cm (0.9 % of the model's radius) beside what its node moved at 0.250 s: "
         "3.2° about -x; it has the matrix of `hand.R`");
    says(CHANGED(f, f.why = WHY_TRANSPOSED, f.degrees = 0),
         "bone `hand.L` (mesh `body` #1) is off by 1.2 cm (0.9 % of the model's radius) at 0.250 s; its matrix is transposed");
    says(CHANGED(f, f.count = 9), "9 more matrices are off by up to 1.2 cm (0.9 % of the model's radius) at 0.250 s");
    says(CHANGED(f, f.code = CODE_LOCAL, f.stage = STAGE_ANIMATE, f.why = WHY_LONGER, f.now = 100),
         "local transform of `hand.L` is off by 3.2° at 0.250 s, which would move vertices that follow it by up to 1.2 cm (0.9 "
         "% of the model's radius); its translation is 100 times longer");
    says(CHANGED(f, f.code = CODE_ENTRY_FOLLOWS, f.count = 3),
         "3 bones follow: bone `hand.L` (mesh `body` #1) is off most, by 1.2 cm (0.9 % of the model's radius) at 0.250 s");
    says(CHANGED(f, f.code = CODE_POSE_NODE, f.part = "missing"), "node `hand.L` is missing");
    says(CHANGED(f, f.code = CODE_POSE_NODE, f.part = "missing", f.count = 12, f.also = also, f.also_count = 2),
         "12 nodes are missing: `hand.L`, `b`, `c` and 9 more");
    says(CHANGED(f, f.code = CODE_POSE_CLIP, f.clip = "walk"), "the pose is the rest pose, was of clip `walk`");
    says(CHANGED(f, f.code = CODE_MORPH_WEIGHT, f.index = 2, f.part = "smile", f.now = 0.25, f.was = 0.5),
         "morph weight 2 (`smile`) of mesh `body` #1 is 0.25, was 0.5 at 0.250 s, which moves vertices by 1.2 cm (0.9 % of the "
         "model's radius)");
    says(CHANGED(f, f.code = CODE_SKIN_VERTEX, f.index = 7, f.count = 1, f.of = 4),
         "vertex 7 of mesh `body` #1 is off by 1.2 cm (0.9 % of the model's radius) at 0.250 s; 1 of 4 vertices are off by more "
         "than a tenth of that");
    says(CHANGED(f, f.code = CODE_GPU_LENGTH, f.index = 7, f.part = "tangent", f.now = -1, f.instance = 3),
         "instance 3 of the crowd: the GPU gives vertex 7 of mesh `body` #1 a tangent that is no number at 0.250 s; it should be "
         "a unit vector; `hand.L` holds most of it");
    says(CHANGED(f, f.code = CODE_GPU_POSITION, f.index = 7, f.count = 3, f.other = "tip"),
         "the GPU puts vertex 7 of mesh `body` #1 1.2 cm (0.9 % of the model's radius) away from the CPU's at 0.250 s; `hand.L` "
         "holds most of it; 3 vertices are off, most of them held by `tip`");
    says(CHANGED(f, f.code = CODE_POINTS_PLACED, f.now = 0.01, f.degrees = 90, f.axis = "x"),
         "compared with the golden's, all skinned points are 100 times smaller and turned 90.0° about x at 0.250 s: another unit "
         "and other axes?");
    says(CHANGED(f, f.code = CODE_BLANK), "frame 0.250 is blank: nothing is drawn (`allow: blank` permits that)");
}

/* The first line of a failure says whether somebody who looks at the model sees it. */
/* Where the skin agrees nothing has moved: its mesh is stored otherwise, say. */
TEST(a_bone_moves_vertices_or_would)
{
    for (int agrees = 0; agrees < 2; agrees++) {
        struct verdict v = begin();
        struct finding finding = off(CODE_LOCAL);
        finding.stage = STAGE_ANIMATE;
        v.facts.compared[STAGE_SKIN] = agrees;
        findings_put(&v.findings, &finding);
        judge_and_say(&v);
        assert_non_null(strstr(v.result.headline, agrees ? "which would move vertices" : "which moves vertices"));
    }
}

TEST(a_headline_says_what_is_visible)
{
    static const struct {
        bool has_skin, skin_differs;
        enum image_state image;
        const char *says;
    } rows[] = {
        {true, false, IMAGE_SAME, "; nothing visible changed"},
        {true, false, IMAGE_TOLERATED, "; nothing visible changed"},
        {true, true, IMAGE_DIFFERS, "; skin and pixels differ"},
        {true, true, IMAGE_NOISE, "; the skin differs, no pixel does"},
        {true, false, IMAGE_DIFFERS, "; pixels differ, the skin does not"},
        {true, false, IMAGE_NONE, "; the skin agrees"},
        {true, true, IMAGE_SHOWN, "; the skin differs"},
        {false, false, IMAGE_SAME, "; no pixel differs"},
        {false, false, IMAGE_DIFFERS, "; pixels differ"},
        {false, false, IMAGE_MISSING, ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct verdict v = begin();
        struct finding node = off(CODE_POSE_NODE), skin = off(CODE_SKIN_BOX);
        node.part = "missing";
        skin.explained = STAGE_ANIMATE;
        v.facts.compared[STAGE_SKIN] = rows[i].has_skin;
        v.times[0].image.state = rows[i].image;
        findings_put(&v.findings, &node);
        if (rows[i].skin_differs)
            findings_put(&v.findings, &skin);
        judge_and_say(&v);
        assert_string_equal(v.result.headline, arena_printf(v.arena, "node `hand.L` is missing%s", rows[i].says));
    }
}
