/** As `en.ts`, in German: what a flight school or an accountant writes, by the terms of § 14 UStG. */
import type { Texts } from "./en.ts";

export const de: Texts = {
  titles: {
    invoice: "Rechnung",
    // Not "Gutschrift", by which a buyer bills (§ 14 (2) UStG).
    credit_note: "Rechnungskorrektur",
    cancellation: "Stornorechnung",
  },

  document: {
    page: (number, count) => `Seite ${number} von ${count}`,
    void: "STORNIERT",
    buyer: "Rechnungsempfänger",
    vatId: "USt-IdNr.",
    numbers: { invoice: "Rechnungsnummer", credit_note: "Belegnummer", cancellation: "Belegnummer" },
    dates: { invoice: "Rechnungsdatum", credit_note: "Belegdatum", cancellation: "Belegdatum" },
    due: "Zahlbar bis",
    suppliedOn: "Leistungsdatum",
    suppliedIn: "Leistungszeitraum",
    deliveredTo: "Lieferort",
    cancels: "Storniert",
    credits: "Korrigiert",
    issued: (title, date) => `${title} vom ${date}, ausgestellt von`,
    preceding: (number, date) => `${number} vom ${date}`,
    precedingBelow: (count) => `${count} Rechnungen, siehe unten`,
    ourVatId: "Unsere USt-IdNr.",
    ourTaxNumber: "Unsere Steuernr.",
    register: "Registernummer",
    customerNumber: "Kundennummer",
    reference: "Ihre Referenz",
  },

  table: {
    date: "Datum",
    description: "Bezeichnung",
    quantity: "Menge",
    price: "Einzelpreis",
    vat: "USt.",
    net: "Netto",
    anHour: "/ Std.",
    untaxed: {
      exempt: "steuerfrei",
      reverse_charge: "Reverse Charge",
      intra_community: "innergem. Lieferung",
      export: "Ausfuhr",
      outside_scope: "nicht steuerbar",
    },
  },

  units: {
    minute: ["Min.", "Min."],
    landing: ["Landung", "Landungen"],
    litre: ["l", "l"],
    piece: ["Stück", "Stück"],
  },

  sums: {
    net: "Nettobetrag",
    vat: (rate, net) => `zzgl. ${rate} USt. auf ${net}`,
    untaxed: (name, net) => `${name}: ${net}`,
    total: "Gesamtbetrag",
    paid: "Bezahlt und verrechnet",
    settled: "Ausgeglichen",
    outstanding: "Offener Betrag",
    nationalVat: (currency, rate) => `USt. in ${currency} (${rate ?? "mehrere Kurse"})`,
  },

  exemptions: {
    smallBusiness: "Gemäß § 19 UStG wird keine Umsatzsteuer berechnet.",
    byLaw: (article) => `Steuerfrei gemäß ${article}`,
    other: (reason) => `Steuerfrei: ${reason}`,
    categories: {
      reverse_charge: "Steuerschuldnerschaft des Leistungsempfängers (Reverse Charge)",
      intra_community: "Steuerfreie innergemeinschaftliche Lieferung (Art. 138 MwStSystRL)",
      export: "Steuerfreie Ausfuhrlieferung (Art. 146 MwStSystRL)",
      outside_scope: "Nicht steuerbar",
    },
  },

  payment: {
    terms: (amount, due) =>
      `Bitte überweisen Sie ${amount}${due === undefined ? "" : ` bis zum ${due}`} auf dieses Konto:`,
    holder: "Kontoinhaber",
    reference: "Verwendungszweck",
    scan: "Zum Bezahlen mit einer Banking-App scannen.",
    cancels: (numbers) => `Storniert ${numbers}.`,
    credits: (numbers) => (numbers === "" ? "Rechnungskorrektur." : `Rechnungskorrektur zu ${numbers}.`),
  },

  lines: {
    aircraft: (registration) => `Flugzeit ${registration}`,
    surcharge: (registration) => `Treibstoffzuschlag ${registration}`,
    fuel: (registration) => `Treibstoff ${registration}`,
    instructor: (name) => `Flugausbildung durch ${name}`,
    landings: (place) => `Landegebühr ${place}`.trim(),
    program: "Ausbildung",
  },

  statement: {
    title: "Kontoauszug",
    subject: (customer, school) => `${customer}, Konto bei ${school}`,
    period: (from, until) =>
      [from && `vom ${from}`, until && `bis ${until}`].filter(Boolean).join(" ") || "alle Buchungen",
    opening: (amount) => `Saldovortrag ${amount}`,
    closing: (amount) => `Endsaldo ${amount}`,
    sign: "ein negativer Saldo ist an die Flugschule zu zahlen",
    columns: {
      date: "Datum",
      posting: "Buchung",
      document: "Beleg",
      payment: "Zahlung",
      amount: "Betrag",
      balance: "Saldo",
    },
    totals: { page: "Summe dieser Seite", before: "Übertrag", all: "Gesamtsumme" },
    postings: {
      invoice: "Rechnung",
      credit_note: "Rechnungskorrektur",
      void: "Storno",
      payment: "Zahlungseingang",
      refund: "Rückzahlung",
    },
    methods: {
      bank_transfer: "Überweisung",
      direct_debit: "Lastschrift",
      card: "Kartenzahlung",
      cash: "Barzahlung",
      other: "Sonstiges",
    },
  },

  mails: {
    named: {
      invoice: (number) => `Rechnung ${number}`,
      credit_note: (number) => `Rechnungskorrektur ${number}`,
      cancellation: (number) => `Stornorechnung ${number}`,
    },
    invoice: (number, amount) => `Rechnung ${number} über ${amount}.`,
    credit: (number, amount) => `Rechnungskorrektur ${number} über ${amount}.`,
    cancellation: (number, cancelled) => `Stornorechnung ${number} zu ${cancelled}`,
    cancelled: (cancellation, amount) => `${cancellation} über ${amount}. Davon ist nichts zu zahlen.`,
    paid: "Sie wurde aus Ihrem Guthaben bezahlt.",
    reminder: (number) => `Zahlungserinnerung: Rechnung ${number} ist überfällig`,
    overdue: (number, due, days) =>
      `Rechnung ${number} ist seit dem ${due} überfällig, seit ${days} ${days === 1 ? "Tag" : "Tagen"}.`,
    amount: "Zu zahlen",
    due: "Zahlbar bis",
    account: "Konto",
    reference: "Verwendungszweck",
  },
};
