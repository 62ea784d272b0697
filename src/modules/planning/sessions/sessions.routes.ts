import type { Http } from "../../../http/http.ts";
import { resourceRoutes } from "../../../http/resource-routes.ts";
import { shiftSession } from "../series/shift-session.ts";
import { bookSession } from "./book-session.ts";
import { cancelSession } from "./cancel-session.ts";
import { checkIn } from "./check-in.ts";
import { changeSession } from "./move-session.ts";
import { completeSession, confirmSession, noShow } from "./session-states.ts";
import { findSession, listSessions, sessionEntity } from "./sessions.queries.ts";
import { Cancellation, NewSession, SessionChange, SessionListQuery, Shift } from "./sessions.schemas.ts";
import { unbookable } from "./unbookable.values.ts";
import { undoCheckIn } from "./undo-check-in.ts";

/** `/orgs/{orgId}/planning/sessions` */
export const sessionRoutes = (http: Http) =>
  resourceRoutes(http, {
    tag: "Planning",
    names: ["a session", "sessions"],
    path: "planning/sessions",
    item: "/:sessionId",
    entity: sessionEntity,
    reads: ["planning:read", "planning:read_own"],
    writes: "planning:manage",
    list: {
      description:
        "The earliest start first. `from` and `to` bound the start. Members without `planning:read` see the sessions in which they take part; `GET …/planning/busy` says when aircraft, instructors and rooms are taken.",
      query: SessionListQuery,
      read: (reader, query, { actor }) => listSessions(reader, actor, query),
    },
    get: {
      description: "Returns 404 also for a session that the caller may not see.",
      read: (reader, { sessionId, actor }) => findSession(reader, sessionId, actor),
    },
    add: {
      summary: "Book a session",
      description:
        "Students book for themselves, within the limits of the school; if it confirms what they book, the session is `requested`. 409 has the list of all that is against it: what it clashes with, and each rule that blocks. A session that begins when another ends does not clash with it.",
      permission: ["planning:book", "planning:manage"],
      body: NewSession,
      verb: bookSession,
      refuses: unbookable,
    },
    change: {
      summary: "Change or move a session",
      description:
        "While it is `requested` or `planned`. All rules apply as to a new one. Members without `planning:manage` change their own, until it begins.",
      permission: ["planning:book", "planning:manage"],
      body: SessionChange,
      verb: changeSession,
      refuses: [...unbookable, "wrong_status"],
    },
    actions: {
      confirm: {
        summary: "Confirm a requested session",
        description: "From `requested` to `planned`. To decline it, cancel it.",
        verb: confirmSession,
        refuses: ["wrong_status"],
      },
      cancel: {
        summary: "Cancel a session",
        description:
          "With the reason. `scope` `following` also cancels the later ones of its series: all or none. Members without `planning:manage` cancel their own, until they begin.",
        permission: ["planning:book", "planning:manage"],
        body: Cancellation,
        verb: cancelSession,
        refuses: ["not_own_session", "wrong_status"],
      },
      reschedule: {
        summary: "Move a session to another time",
        description:
          "It stays as long as it is. `scope` `following` also moves the later ones of its series: by as many days, to the same local time; all or none. Members without `planning:manage` move their own, until they begin.",
        permission: ["planning:book", "planning:manage"],
        body: Shift,
        verb: shiftSession,
        refuses: [...unbookable, "wrong_status"],
      },
      "check-in": {
        summary: "Check in",
        description:
          "From `planned` to `checked_in`, on the day of the session or later. A flight or a lesson with an aircraft starts a flight as a draft, with what is known: `flight_id`.",
        verb: checkIn,
        refuses: ["aircraft_archived", "person_archived", "wrong_status"],
      },
      "undo-check-in": {
        summary: "Undo a check-in",
        description:
          "From `checked_in` back to `planned`, while the flight is a draft that no defect and no signoff names. The draft is removed.",
        verb: undoCheckIn,
        refuses: ["wrong_status", "flight_on_record"],
      },
      complete: {
        summary: "Complete a session",
        description: "From `checked_in` to `completed`, as the approval of its flight does.",
        verb: completeSession,
        refuses: ["wrong_status"],
      },
      "no-show": {
        summary: "Note that nobody came",
        description: "From `planned` to `no_show`, once it has begun. What is left of it is free.",
        verb: noShow,
        refuses: ["wrong_status"],
      },
    },
  });
