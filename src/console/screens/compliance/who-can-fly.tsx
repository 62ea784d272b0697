/** Who may fly what now: people by aircraft, for a purpose. A cell says why, and what would mend it. */
import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { ClearanceMatrix } from "../../api/operations.ts";
import { text } from "../../app/language.ts";
import { useResource } from "../../app/resource.ts";
import { place, setQuery } from "../../app/router.ts";
import { Badge } from "../../ui/badge.tsx";
import { Choice } from "../../ui/choice.tsx";
import { Matrix } from "../../ui/matrix.tsx";
import { Loaded } from "../../ui/section.tsx";
import { Empty } from "../../ui/states.tsx";
import { classes as aircraftClasses } from "../aircraft/classes.ts";
import { CellDialog } from "./cell-dialog.tsx";
import { type Decision, tones } from "./decisions.ts";
import { Head } from "./head.tsx";
import { More } from "./more.tsx";
import { complianceText } from "./words.ts";

/** What somebody would fly for, as a function on board, and who is meant at first. */
const purposes = {
  rent: { as: "pic", type: "pilot" },
  dual: { as: "dual", type: "student" },
  solo: { as: "solo", type: "student" },
  instruct: { as: "instructor", type: "instructor" },
} as const;
type Purpose = keyof typeof purposes;
const names = Object.keys(purposes) as Purpose[];
const roles = ["student", "pilot", "instructor"] as const;

export default function WhoCanFly() {
  const words = complianceText();
  const { people, aircraft } = text();
  const { query } = place.value;
  const purpose = names.find((one) => one === query.get("purpose")) ?? "rent";
  const { as, type: usual } = purposes[purpose];
  const role = query.get("role") === "all" ? "all" : (roles.find((one) => one === query.get("role")) ?? usual);
  const wanted = aircraftClasses.find((one) => one === query.get("class"));
  const cursor = query.get("cursor") ?? undefined;
  const resource = useResource("GET /orgs/{orgId}/clearance/matrix", {
    query: {
      function: as,
      ...(role !== "all" && { type: role }),
      ...(wanted && { class: wanted }),
      ...(cursor !== undefined && { cursor }),
    },
  });
  const all = { value: "", label: words.all };
  return (
    <>
      <Head hint={words.flyHint} />
      <search class="filters">
        <Choice
          label={words.purpose}
          value={purpose}
          options={names.map((value) => ({ value, label: words.purposes[value] }))}
          onChange={(value) =>
            setQuery({ purpose: value === "rent" ? undefined : value, role: undefined, cursor: undefined })
          }
        />
        <Choice
          label={words.role}
          value={role}
          options={[
            { value: "all" as const, label: words.all },
            ...roles.map((value) => ({ value, label: people.types[value] })),
          ]}
          onChange={(value) => setQuery({ role: value === usual ? undefined : value, cursor: undefined })}
        />
        <Choice
          label={words.class}
          value={wanted ?? ""}
          options={[all, ...aircraftClasses.map((value) => ({ value, label: aircraft.classes[value] }))]}
          onChange={(value) => setQuery({ class: value })}
        />
      </search>
      <Loaded resource={resource} lines={8}>
        {({ data }) => <Shown matrix={data} as={as} />}
      </Loaded>
    </>
  );
}

interface ShownProps {
  matrix: ClearanceMatrix;
  as: ClearanceMatrix["function"];
}

function Shown({ matrix, as }: ShownProps) {
  const words = complianceText();
  const { flights } = text();
  const open = useSignal<{ person: number; plane: number } | undefined>(undefined);
  const { people, aircraft, next_cursor } = matrix;
  const decisions = useMemo(() => people.map((person) => person.decisions), [matrix]);
  const [rows, columns] = useMemo(
    () => [
      people.map(({ id, name }) => ({ id, name, href: `/app/people/${id}` })),
      aircraft.map(({ id, registration, class: type }) => ({
        ...{ id, name: registration, href: `/app/aircraft/${id}`, detail: type },
      })),
    ],
    [matrix],
  );
  const cell = useMemo(() => {
    const states = {
      clear: { tone: tones.clear, said: flights.decisions.clear },
      warn: { tone: tones.warn, said: flights.decisions.warn },
      block: { tone: tones.block, said: flights.decisions.block },
    };
    return (row: number, column: number) => states[decisions[row]?.[column] ?? "block"];
  }, [decisions, flights]);
  if (people.length === 0 || aircraft.length === 0)
    return <Empty title={words.nobody}>{people.length === 0 ? words.nobodyHint : words.noAircraftHint}</Empty>;
  const best = decisions.map(bestOf);
  const count = (wanted: Decision) => best.filter((one) => one === wanted).length;
  const shown = open.value;
  const person = shown && people[shown.person];
  const plane = shown && aircraft[shown.plane];
  return (
    <>
      <div class="legend">
        {(["clear", "warn", "block"] as const).map((one) => (
          <span key={one} class="title-line">
            <Badge tone={tones[one]}>{flights.decisions[one]}</Badge>
            <span class="quiet small">{words.peopleCount(count(one))}</span>
          </span>
        ))}
        <span class="quiet small">{words.bestCounts}</span>
      </div>
      {as === "solo" && <p class="quiet small">{words.soloHint}</p>}
      <Matrix
        label={words.pages.fly}
        rowsAre={words.person}
        {...{ rows, columns, cell }}
        onOpen={(at, column) => {
          open.value = { person: at, plane: column };
        }}
      />
      <More next={next_cursor} />
      {person && plane && (
        <CellDialog
          person={person}
          plane={plane}
          as={as}
          onClose={() => {
            open.value = undefined;
          }}
        />
      )}
    </>
  );
}

const bestOf = (decisions: readonly Decision[]): Decision =>
  decisions.includes("clear") ? "clear" : decisions.includes("warn") ? "warn" : "block";
