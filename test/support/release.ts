/** What a release to service says, for tests that are about something else. */
export const release = {
  by: "Max Mechanic",
  licence_number: "DE.66.4711",
  approval: { kind: "cao", reference: "DE.CAO.0123" },
  maintenance_data: "Cessna 172S AMM, chapter 5-14, rev. 25",
};

/** A release needs an item or findings: for work orders that cover no item. */
export const findings = "Nothing found.";
