/** The kinds of mail that a member can switch off. */
export const mailKinds = [
  "medical_expiring",
  "compliance_expiring",
  "maintenance_alert",
  "planning",
  "invoice",
] as const;
export type MailKind = (typeof mailKinds)[number];

/** What has happened to a record, and to an aircraft, as in the event `maintenance.alert`. */
export const recordAlerts = ["expiring", "expired", "revalidation_due"] as const;
export const aircraftAlerts = ["item_upcoming", "item_overdue", "work_order_opened", "aircraft_grounded"] as const;
/** What has happened to a session, and what became free for somebody who waits. */
export const planningAlerts = [
  "session_requested",
  "session_booked",
  "session_moved",
  "session_cancelled",
  "session_left",
  "time_free",
] as const;
/** What has happened to an invoice of the person. */
export const invoiceAlerts = ["invoice_sent", "invoice_reminder"] as const;
export type InvoiceAlert = (typeof invoiceAlerts)[number];
export type PlanningAlert = (typeof planningAlerts)[number];
export type AircraftAlert = (typeof aircraftAlerts)[number];
export type MailAlert = (typeof recordAlerts)[number] | AircraftAlert | PlanningAlert | InvoiceAlert;
