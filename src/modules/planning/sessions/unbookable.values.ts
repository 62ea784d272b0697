/** What is not there any more or not free, whoever books. */
export const unbookable = [
  "booking_conflicts",
  "aircraft_archived",
  "person_archived",
  "room_archived",
  "booking_limited",
  "not_own_session",
] as const;
