/** A syllabus to read: its lessons with their exercises, its minima, its theory exams and its grading scales. */
import type { SyllabusOutput } from "../../api/operations.ts";
import { Facts } from "../../ui/facts.tsx";
import { Rows } from "../../ui/rows.tsx";
import { Section } from "../../ui/section.tsx";
import { amountIn, nameIn } from "./meters.tsx";
import { gradesIn } from "./scales-editor.tsx";
import { rulesIn } from "./theory-editor.tsx";
import { trainingText } from "./words.ts";

export function SyllabusView({
  syllabus: { lessons, minima, legal_basis, phases, theory, subjects, scales },
}: {
  syllabus: SyllabusOutput;
}) {
  const words = trainingText();
  return (
    <div class="columns">
      <div>
        <Section title={words.otherLessons}>
          <Rows
            label={words.otherLessons}
            empty={words.noLessons}
            most={200}
            rows={lessons.map(({ code, name, kind, phase = null, requires = [], items }) => ({
              id: code,
              title: `${code} ${name}`,
              detail: (
                <span class="stack">
                  <span>
                    {[
                      words.lessonKinds[kind],
                      phases.find((one) => one.code === phase)?.name,
                      requires.length > 0 && words.requires(requires.join(", ")),
                    ]
                      .filter(Boolean)
                      .join(" · ")}
                  </span>
                  <span>{items.map((item) => item.name).join(" · ")}</span>
                </span>
              ),
            }))}
          />
        </Section>
      </div>
      <div>
        <Section title={words.minima}>
          <div class="counts">
            <Facts
              facts={minima.map((minimum) => ({
                label: nameIn(minimum),
                value: amountIn(minimum, minimum.required),
              }))}
            />
          </div>
          <p class="quiet small">{legal_basis}</p>
        </Section>
        <Section title={words.theory.title}>
          {theory === null ? (
            <p class="quiet">{words.theory.none}</p>
          ) : (
            <>
              <p class="quiet small">{rulesIn(theory)}</p>
              <Rows
                label={words.subjects}
                empty={words.theory.noSubjects}
                most={30}
                rows={subjects.map(({ code, name }) => ({ id: code, title: name }))}
              />
            </>
          )}
        </Section>
        <Section title={words.scales.title}>
          <Rows
            label={words.scales.title}
            empty={words.scales.none}
            most={20}
            rows={scales.map((scale) => ({ id: scale.code, title: scale.code, detail: gradesIn(scale) }))}
          />
        </Section>
      </div>
    </div>
  );
}
