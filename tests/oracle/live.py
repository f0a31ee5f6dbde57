"""Cases through the protocol of subjects: one suite with a subject for each mistake, checked in one run."""
import json
import os
import subprocess
import sys

import cases

HERE = os.path.dirname(os.path.realpath(__file__))


def suite(chosen, folder):
    """Writes the suite. JSON is YAML."""
    subjects, listed = {}, []
    for number, case in enumerate(chosen):
        ids = [m.id + ("" if s is None else "@" + ",".join(str(n) for n in sorted(s))) for m,
              s in case.mistakes + case.drift]
        subjects[f"s{number}"] = {"command": [os.path.realpath(sys.executable), "-B", os.path.join(HERE,
                 "subject.py"), str(case.subject.seed), *ids],
                                  "timeout": 60}
        entry = {"name": f"c{number}", "model": os.path.abspath(case.subject.path), "times": [case.time],
              "subject": [f"s{number}"],
                 "against": ["reference"], "influences": "all"}
        if case.clip is None:
            entry["clip"] = "rest"
        else:
            entry["clip"] = case.subject.model.clips.index(case.clip)
        listed.append(entry)
    path = os.path.join(folder, "oracle.yaml")
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"version": 1, "goldens": "golden", "subjects": subjects, "cases": listed}, file)
    return path


def why(result):
    """What the results say of a case that could not be judged."""
    return next((str(result[k]) for k in ("error", "message", "headline", "text", "reason") if result.get(k)), "")


def judged(chosen, program, folder, by_mistake, by_cause):
    """(case, verdict, what was claimed) of each."""
    chosen = [case for case in chosen if not cases.turned_as_one(case, case.pose, everything=True)]
    out = os.path.join(folder, "live")
    command = [program, "check", suite(chosen, folder), "-o", out, "--allow-subjects", "--allow-outside",
          "--pictures", "none", "-q"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    try:
        with open(os.path.join(out, "results.json"), encoding="utf-8") as file:
            results = {case["name"].split("@")[0]: case for case in json.load(file)["cases"]}
    except OSError:
        raise SystemExit(f"oracle: check failed: {ran.stderr.strip()[-500:]}")
    for number, case in enumerate(chosen):
        result = results[f"c{number}"]
        answer = {"agrees": result["status"] in ("pass", "drift"), "causes": result.get("causes", [])}
        if result["status"] in ("pass", "drift", "fail"):
            yield (case, *cases.judge(case, answer, by_mistake, by_cause))
        else:
            yield case, "none", f"{result['status']}: {why(result)}"
