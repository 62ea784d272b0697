/** A syllabus to read: its lessons with their exercises, and its minima. */
import type { SyllabusOutput } from "../../api/operations.ts";
import { text } from "../../app/language.ts";
import { Facts } from "../../ui/facts.tsx";
import { Rows } from "../../ui/rows.tsx";
import { Section } from "../../ui/section.tsx";
import { amountOf } from "./meters.tsx";
import { trainingText } from "./words.ts";

export function SyllabusView({ syllabus: { lessons, minima, legal_basis, phases } }: { syllabus: SyllabusOutput }) {
  const words = trainingText();
  const { minima: names } = text().person;
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
              facts={minima.map(({ measure, required }) => ({
                label: names[measure],
                value: amountOf(measure, required),
              }))}
            />
          </div>
          <p class="quiet small">{legal_basis}</p>
        </Section>
      </div>
    </div>
  );
}
