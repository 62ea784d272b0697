/** The operator's page in German. */
import type { FindingTexts } from "./findings.ts";
import type { InstallationTexts } from "./installation.en.ts";

const findings: FindingTexts = {
  open_files_unknown: () => ({
    title: "Die Grenze für offene Dateien ist nicht lesbar",
    remedy: "Der Server nimmt 1.024 an und hält weniger Schulen offen. LimitNOFILE=16384 in der systemd-Unit setzen.",
  }),
  open_files_few: ({ limit, schools }) => ({
    title: `Die Grenze für offene Dateien ist niedrig: ${limit}`,
    remedy: `Nur ${schools} Schulen können gleichzeitig offen sein, andere warten. LimitNOFILE=16384 in der systemd-Unit setzen.`,
  }),
  disk_unreadable: ({ path }) => ({
    title: `${path} ist nicht lesbar`,
    remedy: "Anfragen werden abgewiesen. Prüfen, ob die Platte eingehängt ist und ob WINDSOCK_DATA_DIR stimmt.",
  }),
  disk_full: ({ path, free_mib }) => ({
    title: `Die Platte ist voll: ${free_mib} MiB sind frei für ${path}`,
    remedy: "Es kann nichts gespeichert werden. Platz schaffen: Der Server macht dann von selbst weiter.",
  }),
  disk_low: ({ path, free_mib }) => ({
    title: `Die Platte ist fast voll: ${free_mib} MiB sind frei für ${path}`,
    remedy: "Wenn sie voll ist, kann nichts mehr gespeichert werden. Platz schaffen.",
  }),
  mail_off: () => ({
    title: "Es werden keine E-Mails verschickt",
    remedy:
      "Niemand kann sein Passwort zurücksetzen, Einladungen und Erinnerungen kommen nicht an. WINDSOCK_SMTP_URL setzen.",
  }),
  mail_plain: ({ host }) => ({
    title: `${host} nimmt E-Mails unverschlüsselt an`,
    remedy: "Andere können E-Mails und Passwort mitlesen. smtps:// verwenden, oder einen Server mit STARTTLS.",
  }),
  mail_refused: ({ host, error }) => ({
    title: `Der Mailserver ${host} ist nicht nutzbar (${error})`,
    remedy:
      error === "EAUTH"
        ? "Es kommt keine E-Mail an. Benutzer und Passwort in WINDSOCK_SMTP_URL prüfen."
        : "Es kommt keine E-Mail an. Host und Port in WINDSOCK_SMTP_URL prüfen, und die Firewall.",
  }),
  address_insecure: ({ url }) => ({
    title: `Browser halten ${url} für unsicher`,
    remedy:
      "Bei jedem Neuladen wird das Passwort verlangt. Über HTTPS ausliefern und WINDSOCK_PUBLIC_URL auf diese Adresse setzen.",
  }),
  address_local: ({ url, host }) => ({
    title: `Der Server ist auf ${host} erreichbar, seine öffentliche Adresse ist aber ${url}`,
    remedy:
      "Links in E-Mails führen auf anderen Rechnern ins Leere. WINDSOCK_PUBLIC_URL auf die Adresse setzen, die sie verwenden.",
  }),
  address_unknown: ({ host, error }) => ({
    title: `${host} hat keine Adresse (${error})`,
    remedy: "Unter diesem Namen erreicht niemand den Server. Im DNS eintragen oder WINDSOCK_PUBLIC_URL berichtigen.",
  }),
  address_other: ({ url, status_code }) => ({
    title: `Unter ${url} antwortet ein anderes Programm (${status_code})`,
    remedy: "Den Reverse-Proxy prüfen, und wohin er Anfragen weiterreicht.",
  }),
  address_silent: ({ url, error }) => ({
    title: `${url} antwortet nicht (${error})`,
    remedy: "Den Reverse-Proxy, sein Zertifikat und die Firewall prüfen.",
  }),
  clock_behind: ({ now, at }, { when }) => ({
    title: `Die Uhr zeigt ${when(now)}, es gibt aber Einträge vom ${when(at)}`,
    remedy: "Zeiten von Flügen und Fristen sind falsch. Die Uhr des Rechners stellen und mit NTP richtig halten.",
  }),
  control_missing: ({ path }) => ({
    title: "control.db fehlt, ist beschädigt oder wurde ersetzt: Es wird nichts mehr gespeichert",
    remedy: `Den Server anhalten, ${path} aus einer Sicherung wiederherstellen und neu starten. Ohne Sicherung siehe „A lost control.db“ in der Ausgabe von \`windsock manual\`.`,
  }),
  files_unowned: ({ files }) => ({
    title:
      files.length === 1 ? "Eine Datei gehört zu keiner Schule" : `${files.length} Dateien gehören zu keiner Schule`,
    remedy: `In einen anderen Ordner verschieben, oder die control.db wiederherstellen, die sie kennt: ${files.join(", ")}`,
  }),
  file_unusable: ({ organization_name, fault, command }) => ({
    title: `${organization_name}: Die Datei ist nicht nutzbar`,
    remedy:
      "Sie wurde beiseitegestellt, damit nichts Schlimmeres geschieht: Anfragen für diese Schule werden abgewiesen, bis eine gute Datei an ihrer Stelle liegt, die anderen arbeiten weiter.",
    said: fault,
    command,
  }),
  backups_off: () => ({
    title: "Es werden keine Sicherungen gemacht",
    remedy:
      "Fällt die Platte aus, sind alle Daten verloren. WINDSOCK_BACKUP_DIR setzen, am besten auf ein Verzeichnis einer anderen Platte.",
  }),
  backups_missing: ({ path, fault }) => ({
    title: `Das Verzeichnis der Sicherungen fehlt: ${path}`,
    remedy:
      "Bis es da ist, wird nichts gesichert. Prüfen, ob seine Platte eingehängt ist und ob WINDSOCK_BACKUP_DIR stimmt.",
    said: fault,
  }),
  backups_same_disk: ({ path }) => ({
    title: `Die Sicherungen in ${path} liegen auf der Platte der Daten`,
    remedy:
      "Fällt diese Platte aus, ist beides verloren. WINDSOCK_BACKUP_DIR auf ein Verzeichnis einer anderen Platte setzen und prüfen, ob sie eingehängt ist; oder jede Sicherung mit WINDSOCK_BACKUP_COMMAND auf eine andere Maschine bringen.",
  }),
  backups_unreadable: ({ path, error }) => ({
    title: `Die Sicherungen in ${path} sind nicht lesbar (${error})`,
    remedy: "Prüfen, ob die Platte eingehängt ist und ob WINDSOCK_BACKUP_DIR stimmt.",
  }),
  backups_none: ({ path }) => ({
    title: `In ${path} gibt es keine vollständige Sicherung dieser Installation`,
    remedy: "Jetzt eine machen, oder sehen, warum es nicht geht.",
    command: "windsock backup",
  }),
  backups_old: ({ at }, { when }) => ({
    title: `Die neueste Sicherung ist vom ${when(at)}`,
    remedy:
      "Was seitdem erfasst wurde, wäre mit der Platte verloren. Jetzt eine machen, oder sehen, warum es nicht geht.",
    command: "windsock backup",
  }),
  removal_late: ({ organization_name, at }, { when }) => ({
    title: `${organization_name} sollte am ${when(at)} gelöscht werden und ist noch da`,
    remedy: "Dies löscht sie, oder im Protokoll steht, warum es nicht geht:",
    command: "windsock jobs run organization-removal",
  }),
  job_failing: ({ job, failures, summary }) => ({
    title:
      failures === 1
        ? `Die Aufgabe ${job} ist fehlgeschlagen`
        : `Die Aufgabe ${job} ist ${failures}-mal in Folge fehlgeschlagen`,
    remedy: "So wird es erneut versucht:",
    said: summary,
    command: `windsock jobs run ${job}`,
  }),
};

export const installation: InstallationTexts = {
  title: "Installation",
  refresh: "Aktualisieren",
  needsYou: "Zu tun",
  nothing: "Es gibt nichts zu tun. Geprüft",
  jobsFail: (count) => `${count} Aufgaben sind fehlgeschlagen`,
  jobsFailHint: (names) => `${names}: Beim Öffnen weiter unten steht, warum, und wie es erneut versucht wird.`,
  levels: { error: "Fehler", warning: "Warnung" },
  findings,
  backups: "Sicherungen",
  noBackups: "Es werden keine gemacht.",
  newest: "Neueste",
  none: "Keine",
  old: "Zu alt",
  extent: (schools, size) => `${schools === "1" ? "1 Schule" : `${schools} Schulen`}, ${size}`,
  olderCopies: (count) => `Ältere Kopien, weil die Datei nicht kopiert werden konnte: ${count}`,
  missingSchools: (count) => `Schulen ohne Kopie: ${count}`,
  lastRun: "Letzter Lauf",
  trial: "Zuletzt erprobt",
  noTrial: "Nie",
  noTrialHint: "WINDSOCK_BACKUP_DRILL=1 erprobt die Wiederherstellung jede Nacht.",
  next: "Nächste",
  kept: "Aufbewahrt",
  keptNewest: (count) => (count === 1 ? "die neueste" : `die neuesten ${count}`),
  keptDays: (days) => `die der letzten ${days} Tage`,
  keptAll: "alle",
  directory: "Verzeichnis",
  encrypted: "Verschlüsselt",
  elsewhere: "An anderen Ort kopiert",
  yes: "Ja",
  no: "Nein",
  outcomes: { succeeded: "Erfolgreich", failed: "Fehlgeschlagen" },
  schools: "Schulen",
  noSchools: "Noch hat sich keine Schule angemeldet.",
  school: "Schule",
  members: "Mitglieder",
  size: "Größe",
  written: "Zuletzt geschrieben",
  backup: "Sicherung",
  state: "Datei",
  suspended: "Gesperrt",
  removal: "Wird gelöscht",
  states: { usable: "In Ordnung", damaged: "Beschädigt", unusable: "In Quarantäne" },
  older: "Älteres Schema",
  notBackedUp: "Keine",
  backupFailed: "Nicht kopiert",
  whatToDo: "Was tun?",
  quarantined: (since) =>
    `Windsock öffnet diese Datei seit ${since} nicht mehr: Sie hat eine Prüfung nicht bestanden oder ließ sich nicht öffnen. Anfragen für diese Schule werden abgewiesen, bis eine gute Datei an ihrer Stelle liegt. Die anderen Schulen arbeiten weiter.`,
  damaged:
    "Die Schule arbeitet weiter, beim letzten monatlichen Lesen wurden aber Fehler in der Datei gefunden. So werden sie genannt:",
  mend: "Auf dem Rechner des Servers setzt dies die Kopie der neuesten Sicherung an ihre Stelle; die jetzige Datei bleibt erhalten:",
  mendWithout: "Keine Sicherung hat eine Kopie. Eine gute Datei an ihre Stelle legen. So zeigt sich, ob es eine ist:",
  backupFault: (fault) => `Die neueste Sicherung konnte sie nicht kopieren: ${fault}`,
  jobs: "Geplante Aufgaben",
  ran: "lief",
  runningSince: "Läuft seit",
  progress: (done, total) => `${done} von ${total}`,
  neverRan: "Noch nichts zu tun",
  failed: (times) => (times === 1 ? "Fehlgeschlagen" : `${times}-mal fehlgeschlagen`),
  running: "Läuft",
  schedule: "Zeitplan (UTC)",
  tryAgain: "So läuft sie jetzt:",
  history: "Läufe",
  noHistory: "In den letzten 30 Tagen gab es nichts zu tun.",
  took: (span) => `Dauer ${span}`,
  jobDescriptions: {
    "attachment-uploads": "Löscht Uploads, die nicht binnen einer Stunde endeten, weil der Server beendet wurde.",
    backup: "Sichert alle Datenbanken nach WINDSOCK_BACKUP_DIR und entfernt alte Sicherungen.",
    "backup-drill":
      "Stellt die neueste Sicherung in einem Arbeitsverzeichnis wieder her und prüft sie, wenn WINDSOCK_BACKUP_DRILL 1 ist.",
    certificate: "Beschafft das Zertifikat per ACME und erneuert es, wenn noch ein Drittel seiner Laufzeit übrig ist.",
    "compliance-evaluation":
      "Bewertet Personen und Flugzeuge neu, deren Nachweise ablaufen oder deren Anforderungen sich geändert haben.",
    "event-replays": "Setzt das erneute Senden vieler Ereignisse fort.",
    "evidence-packs": "Erstellt wartende Nachweispakete, nach einem Neustart oder wenn die Datei nicht nutzbar war.",
    "finance-summary":
      "Berechnet die Summen der Monate mit neuen Buchungen aus dem Journal und berichtigt abweichende.",
    "finish-restore": "Bringt wiederhergestellte Schulen mit der Kontrolldatenbank in Einklang.",
    intents: "Holt Änderungen der Kontrolldatenbank in Schulen nach, deren erster Versuch misslang.",
    "invite-cleanup": "Löscht Einladungen, die vor mehr als 90 Tagen abgelaufen sind.",
    "invoice-overdue":
      "Kennzeichnet fällige, unbezahlte Rechnungen als überfällig und verschickt Zahlungserinnerungen.",
    "mail-sending": "Verschickt E-Mails über ablaufende Nachweise und Wartung und wiederholt misslungene Versuche.",
    "maintenance-due":
      "Setzt den Status von Wartungspunkten zu ihren Terminen und sperrt Flugzeuge, deren Toleranz überschritten ist.",
    "medical-expiry":
      "Kündigt den Ablauf von Tauglichkeitszeugnissen 60, 30 und 14 Tage vorher an und den anderer Nachweise per E-Mail, in der Zeitzone der Schule.",
    migrations:
      "Bringt Dateien von Schulen, die eine ältere Version zuletzt schrieb, auf den Stand. Pausiert unter Last.",
    "organization-removal":
      "Löscht Schulen, deren Zeit gekommen ist (`windsock org delete`), jede nach einer letzten Sicherung.",
    "planning-offers":
      "Bietet frei gewordene, nicht rechtzeitig gebuchte Zeiten dem Nächsten auf der Warteliste an und beendet abgelaufene Wünsche.",
    retention:
      "Löscht Ereignisse, die älter als WINDSOCK_EVENT_RETENTION_DAYS sind, samt ihren Zustellungen, und Idempotenzschlüssel nach 24 Stunden.",
    scrub:
      "Liest jede Datenbank und jede gespeicherte Datei einmal im Monat, höchstens eine Stunde je Nacht, und meldet Schäden.",
    "session-cleanup":
      "Löscht Sitzungen 30 Tage nach ihrem Ende und abgelaufene Links, Anmeldeversuche und Idempotenzschlüssel.",
    "tenant-intents": "Holt Änderungen von Schulen in der Kontrolldatenbank nach, deren erster Versuch misslang.",
    "webhook-outbox": "Findet Schulen mit fälligen Webhook-Zustellungen, die beim Versenden ausgelassen wurden.",
    "webhook-secret-rotation":
      "Löscht die vorigen Signaturschlüssel von Webhook-Endpunkten 72 Stunden nach einem Wechsel.",
  },
  deliveries: "Webhook-Zustellungen",
  noDeliveries: "Bei keiner Schule warten Zustellungen.",
  inFlight: "Unterwegs",
  waiting: "Wartend",
  delivered: "Zugestellt",
  failedAttempts: "Fehlversuche",
  sinceStart: (start) => `Seit dem Start, ${start}.`,
  backlog: (count) => (count === "1" ? "1 Zustellung steht aus" : `${count} Zustellungen stehen aus`),
  lag: (span) => `die älteste ist seit ${span} fällig`,
  failingEndpoints: (count) => (count === 1 ? "1 Endpunkt gestört" : `${count} Endpunkte gestört`),
  mails: "E-Mails",
  noMails: "Es werden keine verschickt.",
  sender: "Absender",
  sent: "Gesendet",
  dropped: "Verworfen",
  server: "Server",
  version: "Windsock",
  runtime: "Laufzeit",
  started: "Gestartet",
  address: "Öffentliche Adresse",
  disk: "Platte",
  diskSaid: (free, size) => `${free} von ${size} frei`,
  databases: "Datenbanken",
  databasesSaid: (size, largest) => `${size}, die größte ${largest}`,
  openFiles: "Offene Dateien",
  openSchools: "Gerade offene Schulen",
  of: (some, all) => `${some} von ${all}`,
  standby: "Bereitschaft",
  standbyWaits: "Ein zweiter Server wartet und kann übernehmen",
  standbyOn: "Wartet beim Start auf die Sperre",
  standbyOff: "Nicht eingerichtet",
};
