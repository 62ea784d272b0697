/** A flight as JSON, made by SQLite from `flights f join aircraft a`. */

const hundredths = (column: string) =>
  `iif(${column} is null, null, (${column} / 100) || '.' || substr('0' || (${column} % 100), -2))`;
const minutes = (from: string, to: string) => `(unixepoch(${to}) - unixepoch(${from})) / 60`;

/** SQLite 3.54 takes what a subquery returns for text, hence `json`. The primary key gives the crew's order. */
const crew = `json((
  select json_group_array(json_object('person_id', person_id, 'name', name, 'function', function))
  from (
    select c.person_id, p.name, c.function from flight_crew c join people p on p.id = c.person_id
    where c.flight_id = f.id order by c.position)))`;

const publicFields = `
  'id', f.id, 'status', f.status, 'revision', f.revision, 'imported', json(iif(f.imported, 'true', 'false')),
  'aircraft', json_object('id', a.id, 'registration', a.registration, 'model', a.model, 'icao_type', a.icao_type),
  'nature', f.nature, 'off_block_at', f.off_block_at, 'take_off_at', f.take_off_at,
  'landing_at', f.landing_at, 'on_block_at', f.on_block_at,
  'departure', f.departure, 'arrival', f.arrival,
  'block_minutes', ${minutes("f.off_block_at", "f.on_block_at")},
  'airborne_minutes', ${minutes("f.take_off_at", "f.landing_at")},
  'night_minutes', f.night_minutes, 'ifr_minutes', f.ifr_minutes,
  'day_landings', f.day_landings, 'night_landings', f.night_landings,
  'hobbs_start', ${hundredths("f.hobbs_start")}, 'hobbs_end', ${hundredths("f.hobbs_end")},
  'tacho_start', ${hundredths("f.tacho_start")}, 'tacho_end', ${hundredths("f.tacho_end")},
  'passengers', f.passengers, 'fuel_uplift_litres', ${hundredths("f.fuel_uplift_litres")},
  'oil_uplift_litres', ${hundredths("f.oil_uplift_litres")},
  'crew', ${crew}, 'lesson', f.lesson, 'workshop_remarks', f.workshop_remarks,
  'submitted_at', f.submitted_at, 'approved_at', f.approved_at,
  'rejected_at', f.rejected_at, 'rejection_reason', f.rejection_reason, 'reversed_at', f.reversed_at,
  'created_at', f.created_at, 'updated_at', f.updated_at`;

/** As integrators see it. */
export const publicFlightJson = `json_object(${publicFields})`;

/** As the school sees it. */
export const flightJson = `json_object(${publicFields},
  'remarks', f.remarks, 'lesson_id', f.lesson_id, 'cross_country_km', f.cross_country_km,
  'full_stops_elsewhere', f.full_stops_elsewhere, 'enrollment_id', f.enrollment_id, 'warnings', json(f.warnings), 'findings', json(f.findings), 'created_by', f.created_by,
  'submitted_by', f.submitted_by, 'approved_by', f.approved_by,
  'self_approval_reason', f.self_approval_reason, 'reversal_reason', f.reversal_reason)`;
