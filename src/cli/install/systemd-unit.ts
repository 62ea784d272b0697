/** The unit of Windsock as a service of systemd, which gives it no more of the machine than it needs. */
import { parseEnv } from "node:util";

export const account = "windsock";
export const dataDirectory = `/var/lib/${account}`;
const librariesDirectory = `/var/cache/${account}`;
export const environmentFile = `/etc/${account}/${account}.env`;

/** What the service gets of the machine besides its data directory. */
export interface Needs {
  /** It listens on ports below 1024. */
  lowPorts: boolean;
  /** The directory of its backups, if it is elsewhere. */
  backups: string | undefined;
}

/** @param command the program and its arguments */
export const systemdUnit = (command: readonly string[], { lowPorts, backups }: Needs): string => `[Unit]
Description=Windsock, the operations of a flight school
Wants=network-online.target
After=network-online.target

[Service]
Type=exec
ExecStart=${command.map((word) => quoted(word.replaceAll("$", () => "$$"))).join(" ")}
User=${account}
Group=${account}
Environment=WINDSOCK_DATA_DIR=${dataDirectory}
EnvironmentFile=-${environmentFile}
StateDirectory=${account}
StateDirectoryMode=0700
# The executable unpacks its libraries there once: its /tmp ends with each stop.
CacheDirectory=${account}
CacheDirectoryMode=0700
Environment=BUN_TMPDIR=${librariesDirectory}
UMask=0077
Restart=on-failure
RestartSec=1

# A stop takes nine seconds at most. The server itself ends the processes that it started.
KillMode=mixed
TimeoutStopSec=15

# Five for each open school, and one for each connection.
LimitNOFILE=16384

NoNewPrivileges=yes
CapabilityBoundingSet=${lowPorts ? bindService : ""}
AmbientCapabilities=${lowPorts ? bindService : ""}
ProtectSystem=strict
${backups === undefined ? "" : `ReadWritePaths=${quoted(`-${backups}`)}\n`}ProtectHome=yes
PrivateTmp=yes
PrivateDevices=yes
ProtectProc=invisible
ProtectClock=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
RemoveIPC=yes
SystemCallArchitectures=native
# With limits and priorities: the check of files lowers both. Without MemoryDenyWriteExecute: JavaScript is compiled in memory.
SystemCallFilter=@system-service
SystemCallFilter=~@privileged
SystemCallErrorNumber=EPERM

[Install]
WantedBy=multi-user.target
`;

const bindService = "CAP_NET_BIND_SERVICE";

/** Returns what a server with this file of variables needs. */
export function needsOf(environment: string): Needs {
  const { WINDSOCK_TLS, WINDSOCK_PORT, WINDSOCK_HTTP_PORT, WINDSOCK_BACKUP_DIR } = parseEnv(environment);
  return {
    lowPorts:
      WINDSOCK_TLS === "auto" || [WINDSOCK_PORT, WINDSOCK_HTTP_PORT].some((port) => Number(port || 1024) < 1024),
    backups: WINDSOCK_BACKUP_DIR || undefined,
  };
}

/** systemd.syntax(7): quotes for spaces, and `%` is doubled. In a command, `$` is, too. */
const quoted = (word: string): string => {
  const escaped = word.replaceAll("%", "%%");
  return /[\s"'\\]/.test(word) ? JSON.stringify(escaped) : escaped;
};

/** The file of variables at first: they are all optional. */
export const environmentAtFirst = `# Variables of Windsock: see windsock manual. Then: systemctl restart ${account}
#WINDSOCK_PUBLIC_URL=https://ops.example.com
# Then, so that it may write there: windsock install --systemd
#WINDSOCK_BACKUP_DIR=/var/backups/windsock
# HTTPS without a proxy. Then, so that it may use the ports 80 and 443: windsock install --systemd
#WINDSOCK_TLS=auto
#WINDSOCK_TRUSTED_PROXIES=127.0.0.1/32
#WINDSOCK_SMTP_URL=smtps://user:password@mail.example.com:465
`;
