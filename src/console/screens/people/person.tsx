/** One person: who they are, what they may do, what they fly, learn and owe. */
import { useSignal } from "@preact/signals";
import type { Permission } from "../../../core/permissions.ts";
import type { Person, PersonChange } from "../../api/operations.ts";
import { change, type Save } from "../../app/change.ts";
import { formatDate } from "../../app/format.ts";
import { text } from "../../app/language.ts";
import { may } from "../../app/permissions.ts";
import { changed, useResource } from "../../app/resource.ts";
import type { Parameters } from "../../app/router.ts";
import { organization } from "../../app/session.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { ProblemNotice, Skeleton } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import { Standing, StandingBadge } from "../compliance/standing.tsx";
import { PacksOf } from "../evidence/packs-of-person.tsx";
import { Account } from "./account.tsx";
import { Bookings } from "./bookings.tsx";
import { Logbook } from "./logbook.tsx";
import { Login } from "./login.tsx";
import { Privacy } from "./privacy.tsx";
import { Aviation, Contact, Emergency } from "./records.tsx";
import { Revalidation } from "./revalidation.tsx";
import { TrainingOf } from "./training.tsx";

export default function PersonPage({ personId = "" }: Parameters) {
  const { person: words, people, actions } = text();
  const path = { personId };
  const { data, problem, reload } = useResource("GET /orgs/{orgId}/people/{personId}", { path });
  const isErasing = useSignal(false);
  const person = data?.data;
  if (problem !== undefined && !person) return <ProblemNotice error={problem} retry={reload} />;

  const isOwn = organization.value?.person_id === personId;
  const sees = (all: Permission, own: Permission) => may(all) || (isOwn && may(own));

  const save: Save<PersonChange> = async (body, seen) => {
    await change("/orgs/{orgId}/people/{personId}", path, body, seen);
    await changed("/people", "/compliance/evaluations");
  };
  const setStatus = async (before: Person, status: Person["status"]) => {
    const fields = {
      status: { label: people.status, shown: (value: unknown) => people.statuses[value as Person["status"]] },
    };
    await save({ status }, { before, fields });
    toast(status === "active" ? words.restored(before.name) : words.archived(before.name), {
      label: actions.undo,
      run: () => save({ status: before.status }, { before: { ...before, status }, fields }),
    });
  };
  const manages = may("people:manage");
  const isErased = person !== undefined && person.erased_at !== null;
  const canEdit = manages && person?.status === "active";

  return (
    <>
      <div class="page-head">
        <div>
          <div class="title-line">
            <h1>{person?.name ?? <Skeleton lines={1} />}</h1>
            {person?.status === "archived" && <Badge tone="neutral">{people.statuses.archived}</Badge>}
            {sees("compliance:read", "compliance:read_own") && <StandingBadge subject={{ person_id: personId }} />}
          </div>
          <p class="quiet">{person?.types.map((type) => people.types[type]).join(", ")}</p>
        </div>
        {manages && person && !isErased && (
          <div class="actions">
            {person.status === "active" ? (
              <Button onClick={() => setStatus(person, "archived")}>{actions.archive}</Button>
            ) : (
              <Button onClick={() => setStatus(person, "active")}>{actions.restore}</Button>
            )}
          </div>
        )}
      </div>
      {problem !== undefined && <ProblemNotice error={problem} retry={reload} />}
      {isErased ? (
        <div class="notice info">{words.erasedNotice(formatDate(person.erased_at ?? ""))}</div>
      ) : (
        person?.status === "archived" && <div class="notice info">{words.archivedNotice}</div>
      )}
      <div class="columns">
        <div>
          {sees("compliance:read", "compliance:read_own") && (
            <>
              <Standing subject={{ person_id: personId }} title={words.records} />
              <Revalidation personId={personId} />
            </>
          )}
          {sees("planning:read", "planning:read_own") && <Bookings personId={personId} />}
          {sees("training:read", "training:read_own") && <TrainingOf {...{ personId, person }} />}
          {(may("flights:read") || isOwn) && <Logbook personId={personId} />}
        </div>
        <div>
          {person ? (
            <>
              <Contact {...{ person, canEdit, save }} />
              <Aviation {...{ person, canEdit, save }} />
              <Emergency {...{ person, canEdit, save }} />
            </>
          ) : (
            <Skeleton lines={6} />
          )}
          {sees("finance:read", "finance:own") && <Account personId={personId} isErased={isErased} />}
          {sees("evidence:manage", "evidence:own") && (
            <PacksOf personId={personId} canRequest={person !== undefined && !isErased} />
          )}
          {person && may("members:read") && <Login {...{ person, save }} />}
          {person && (manages || isOwn) && !isErased && <Privacy person={person} isErasing={isErasing} />}
        </div>
      </div>
    </>
  );
}
