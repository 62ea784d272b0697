// What /auth/link says. The server sends the page in the language of the browser. In English the server's own messages are shown.

const english = {
  fields: { name: "Name", password: "Password", code: "Code", other: "Link" },
  newPassword: {
    label: "New password",
    hint: "12 characters or more, of any kind. Four words that have nothing to do with each other are a good start.",
  },
  ownPassword: { label: "Your password", hint: "" },
  /** How to get another link if this one is used, unknown or expired. */
  another: {
    reset: "Request another one where you sign in (“forgot password”).",
    verify: "If your address is already confirmed, sign in. Otherwise sign in and request another link.",
    invite: "If you have already joined, sign in. Otherwise ask the person who invited you for another invitation.",
  },
  unreachable: "The server is unreachable. Check your connection and try again.",
  wrong: "Something went wrong. Try again in a moment.",
  reasonOf: ({ message }) => message,
  issueOf: ({ message }) => message,
  invalid: "This link is not valid",
  goTo: (host) => `Go to ${host}`,
  whereUsual: "You can now sign in with it, where you usually do.",
  reset: {
    title: "Choose a new password",
    text: "All devices that are signed in to your account will be signed out.",
    button: "Set the password",
    done: "Your password is set",
  },
  verify: {
    title: "Confirm your e-mail address",
    signedIn: (email) => `You are signed in as ${email}. Nothing else of your account changes.`,
    byPassword: "Enter the password of your account. Nothing else of it changes.",
    otherAccount: "The link is for another account than the one that you are signed in to. ",
    warning:
      "With another password, you take the account over, in case another person created it with your address: this becomes its new password, all its sessions end, and its second factor and linked providers are removed.",
    button: "Confirm the address",
    done: "Your e-mail address is confirmed",
    after: "You can sign in with it and your password, where you usually do.",
  },
  join: {
    title: (school) => `Join ${school}`,
    notNow: "The link cannot be opened now",
    thenAgain: "Then open the link again.",
    signedIn: (email) => `You are signed in as ${email}.`,
    text: "Enter your name and choose a password to sign in with.",
    button: "Join",
    done: "Welcome",
    after: "You can sign in with your e-mail address and your password, where you usually do.",
    known:
      "Your e-mail address already has an account. Sign in to it to join. If you sign in through a provider, do so first, then open this link again in the same browser.",
    signIn: "Sign in and join",
    secondFactor: "Your account has a second factor.",
  },
  incomplete: {
    title: "This link is incomplete",
    text: "Open the link from your mail again, or copy the whole link into the address bar.",
  },
  lacking: {
    name: "Enter your name.",
    password: "Enter a password.",
    short: "The password must have at least 12 characters.",
    code: "Enter the code.",
  },
};

const germanReasons = {
  account_disabled: "Dieses Konto ist gesperrt.",
  code_wrong: "Der Code ist falsch oder schon verwendet.",
  invite_claimed: "Diese Einladung wurde schon angenommen.",
  invite_expired: "Diese Einladung ist abgelaufen.",
  invite_for_other_email: "Diese Einladung gilt für eine andere E-Mail-Adresse.",
  invite_revoked: "Die Flugschule hat diese Einladung zurückgezogen.",
  invited_person_deleted: "Die Person, für die diese Einladung gilt, gibt es in der Flugschule nicht mehr.",
  link_expired: "Dieser Link ist abgelaufen.",
  link_used: "Dieser Link wurde schon verwendet.",
  link_void: "Ein neuerer Link hat diesen ersetzt, oder die Adresse hat sich geändert.",
};

const germanCodes = {
  UNAUTHORIZED: "Die Angaben stimmen nicht.",
  NOT_FOUND: "Den Link gibt es nicht.",
  RATE_LIMITED: "Zu viele Versuche. Bitte einen Moment warten.",
};

const germanIssues = {
  common_password: "steht auf der Liste der häufigsten Passwörter.",
  impossible: "darf nicht die E-Mail-Adresse sein.",
  length: "muss 12 bis 128 Zeichen haben.",
};

const german = {
  fields: { name: "Name", password: "Passwort", code: "Code", other: "Link" },
  newPassword: {
    label: "Neues Passwort",
    hint: "Mindestens 12 beliebige Zeichen. Vier Wörter, die nichts miteinander zu tun haben, sind ein guter Anfang.",
  },
  ownPassword: { label: "Ihr Passwort", hint: "" },
  another: {
    reset: "Fordern Sie bei der Anmeldung einen neuen an („Passwort vergessen“).",
    verify:
      "Ist die Adresse schon bestätigt, melden Sie sich an. Sonst fordern Sie nach der Anmeldung einen neuen Link an.",
    invite: "Sind Sie schon beigetreten, melden Sie sich an. Sonst bitten Sie um eine neue Einladung.",
  },
  unreachable: "Der Server ist nicht erreichbar. Prüfen Sie die Verbindung und versuchen Sie es noch einmal.",
  wrong: "Das hat nicht geklappt. Versuchen Sie es gleich noch einmal.",
  reasonOf: ({ reason, code }) => germanReasons[reason] ?? germanCodes[code] ?? german.wrong,
  issueOf: ({ code }) => germanIssues[code] ?? "ungültig.",
  invalid: "Dieser Link gilt nicht",
  goTo: (host) => `Weiter zu ${host}`,
  whereUsual: "Sie können sich jetzt wie gewohnt damit anmelden.",
  reset: {
    title: "Neues Passwort wählen",
    text: "Alle Geräte, die mit Ihrem Konto angemeldet sind, werden abgemeldet.",
    button: "Passwort setzen",
    done: "Ihr Passwort ist gesetzt",
  },
  verify: {
    title: "E-Mail-Adresse bestätigen",
    signedIn: (email) => `Sie sind als ${email} angemeldet. Sonst ändert sich an Ihrem Konto nichts.`,
    byPassword: "Geben Sie das Passwort Ihres Kontos ein. Sonst ändert sich daran nichts.",
    otherAccount: "Der Link gehört zu einem anderen Konto als dem, mit dem Sie angemeldet sind. ",
    warning:
      "Mit einem anderen Passwort übernehmen Sie das Konto, falls jemand anderes es mit Ihrer Adresse angelegt hat: Es wird das neue Passwort, alle Sitzungen enden, zweiter Faktor und verknüpfte Anbieter werden entfernt.",
    button: "Adresse bestätigen",
    done: "Ihre E-Mail-Adresse ist bestätigt",
    after: "Sie können sich damit und mit Ihrem Passwort wie gewohnt anmelden.",
  },
  join: {
    title: (school) => `${school} beitreten`,
    notNow: "Der Link lässt sich gerade nicht öffnen",
    thenAgain: "Öffnen Sie den Link danach noch einmal.",
    signedIn: (email) => `Sie sind als ${email} angemeldet.`,
    text: "Geben Sie Ihren Namen ein und wählen Sie ein Passwort für die Anmeldung.",
    button: "Beitreten",
    done: "Willkommen",
    after: "Sie können sich mit Ihrer E-Mail-Adresse und Ihrem Passwort wie gewohnt anmelden.",
    known:
      "Zu Ihrer E-Mail-Adresse gibt es schon ein Konto. Melden Sie sich damit an, um beizutreten. Wenn Sie sich über einen Anbieter anmelden, tun Sie das zuerst und öffnen Sie den Link dann im selben Browser noch einmal.",
    signIn: "Anmelden und beitreten",
    secondFactor: "Ihr Konto hat einen zweiten Faktor.",
  },
  incomplete: {
    title: "Dieser Link ist unvollständig",
    text: "Öffnen Sie den Link in der E-Mail noch einmal, oder kopieren Sie den ganzen Link in die Adresszeile.",
  },
  lacking: {
    name: "Geben Sie Ihren Namen ein.",
    password: "Geben Sie ein Passwort ein.",
    short: "Das Passwort muss mindestens 12 Zeichen haben.",
    code: "Geben Sie den Code ein.",
  },
};

// biome-ignore lint/correctness/noUnusedVariables: link-form.js, which follows in the page, uses it
const words = document.documentElement.lang === "de" ? german : english;
