import { Elysia } from "elysia";
import { requires } from "../../../http/before-validation.ts";
import { created } from "../../../http/created.ts";
import type { Http } from "../../../http/http.ts";
import { data, responses } from "../../../http/responses.ts";
import type { RoutePlugin } from "../../../http/route.ts";
import { bookSeries } from "./book-series.ts";
import { BookedSeries, NewSeries } from "./series.schemas.ts";

/** A dry run, or a series of which every session is skipped. */
const NothingBooked = data(BookedSeries).meta({ description: "Nothing was booked." });

/** `/orgs/{orgId}/planning/series` */
export const seriesRoutes = ({ session }: Http): RoutePlugin =>
  new Elysia({ name: "planning series", prefix: "/orgs/:orgId/planning/series", tags: ["Planning"] }).use(session).post(
    "",
    async ({ context, body, set }) => {
      const booked = await bookSeries(context, body);
      const { orgId } = context.actor;
      if (!body.dry_run && booked.sessions.length > 0)
        created(set, `/orgs/${orgId}/planning/sessions?series_id=${booked.series_id}`);
      return { data: booked };
    },
    {
      transform: requires("planning:book", "planning:manage"),
      body: NewSeries,
      response: responses(
        { 200: NothingBooked, 201: data(BookedSeries) },
        400,
        401,
        404,
        "booking_conflicts",
        "aircraft_archived",
        "person_archived",
        "room_archived",
        "not_own_session",
      ),
      detail: {
        summary: "Book a series of sessions",
        description:
          "Every week on the weekdays, at the same local time, also across clock changes. At most 100 sessions, all or none: 409 has what is against each that can't be booked, and `on_conflict: skip` books the others. With `dry_run`, nothing is booked. `Location` is the list of the sessions.",
      },
    },
  );
