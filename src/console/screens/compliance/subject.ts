/** Whose records they are. */
export type Subject = { person_id: string } | { aircraft_id: string };
