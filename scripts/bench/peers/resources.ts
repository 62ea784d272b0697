/** One organization and one flight, as SQLite makes them JSON. */
import type { Databases } from "./databases.ts";
import { flightJson } from "./flight-json.ts";
import type { Member } from "./sessions.ts";

const readsAllFlights = new Set(["owner", "admin", "instructor", "mechanic", "accountant"]);

export function createResources({ control, tenant }: Databases) {
  const organization = control.prepare<{ body: string }, [string]>(`
    select '{"data":' || json_object('id', id, 'name', name, 'kind', kind, 'approval_number', approval_number,
      'authority', authority, 'home_icao', home_icao, 'time_zone', time_zone, 'currency', currency,
      'created_at', created_at, 'updated_at', updated_at) || '}' as body
    from organizations where id = ?`);
  const anyFlight = `
    select '{"data":' || ${flightJson} || '}' as body
    from flights f join aircraft a on a.id = f.aircraft_id where f.id = ?`;
  const flight = tenant.prepare<{ body: string }, [string]>(anyFlight);
  const ownFlight = tenant.prepare<{ body: string }, [string, string, string, string]>(`
    ${anyFlight} and (f.created_by = ? or exists (
      select 1 from flight_crew c join people p on p.id = c.person_id
      where c.flight_id = f.id and (p.user_id = ? or p.email = ?)))`);

  return {
    organization(id: string): string {
      const row = organization.get(id);
      if (row === null) throw new Error("A membership without its organization.");
      return row.body;
    },
    /** Undefined when there is none that the member may see. */
    flight({ userId, email, roles }: Member, id: string): string | undefined {
      const seesAll = roles.some((role) => readsAllFlights.has(role));
      return (seesAll ? flight.get(id) : ownFlight.get(id, userId, userId, email))?.body;
    },
  };
}
