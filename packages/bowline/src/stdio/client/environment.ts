/** Variables of the parent's environment, as in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

const POSIX = ["HOME", "LANG", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "TZ", "USER"] as const;

/** Without these Windows programs do not find their system, their user or each other. */
const WINDOWS = [
  "APPDATA",
  "COMSPEC",
  "HOMEDRIVE",
  "HOMEPATH",
  "LOCALAPPDATA",
  "NUMBER_OF_PROCESSORS",
  "OS",
  "PATH",
  "PATHEXT",
  "PROCESSOR_ARCHITECTURE",
  "PROGRAMDATA",
  "PROGRAMFILES",
  "PROGRAMFILES(X86)",
  "PROGRAMW6432",
  "SYSTEMDRIVE",
  "SYSTEMROOT",
  "TEMP",
  "TMP",
  "USERDOMAIN",
  "USERNAME",
  "USERPROFILE",
  "WINDIR",
] as const;

const NETWORK = [
  "ALL_PROXY",
  "HTTPS_PROXY",
  "HTTP_PROXY",
  "NODE_EXTRA_CA_CERTS",
  "NODE_USE_ENV_PROXY",
  "NO_PROXY",
  "SSL_CERT_DIR",
  "SSL_CERT_FILE",
  "all_proxy",
  "http_proxy",
  "https_proxy",
  "no_proxy",
] as const;

export interface EnvironmentOptions {
  readonly platform: string;
  readonly parent: Environment;
  /** Set on top of what is inherited; `undefined` takes an inherited variable away. */
  readonly env?: Environment | undefined;
  /** Also inherit the variables for proxies and certificates. */
  readonly inheritNetwork?: boolean | undefined;
}

/**
 * The environment of a child: an allow-list of the parent's variables and what the caller set. Secrets
 * of the parent are not passed on. Inherited values that begin with `()` are functions of a shell and
 * are left out.
 */
export function childEnvironment(options: EnvironmentOptions): Record<string, string> {
  const { platform, parent, env = {}, inheritNetwork = false } = options;
  const isWindows = platform === "win32";
  // Names of variables ignore case on Windows: `Path` is PATH, and both at once would be one too many.
  const fold = (name: string): string => (isWindows ? name.toUpperCase() : name);
  const allowed = new Set<string>(isWindows ? WINDOWS : POSIX);
  if (inheritNetwork) for (const name of NETWORK) allowed.add(name);

  const chosen = new Map<string, readonly [name: string, value: string]>();
  for (const [name, value] of Object.entries(parent)) {
    if (value === undefined || value.startsWith("()") || !allowed.has(fold(name))) continue;
    chosen.set(fold(name), [name, value]);
  }
  for (const [name, value] of Object.entries(env)) {
    chosen.delete(fold(name));
    if (value === undefined) continue;
    if (name === "" || /[=\0]/.test(name) || value.includes("\0")) {
      throw new TypeError(`env: ${JSON.stringify(name)} cannot be the name or value of a variable`);
    }
    chosen.set(fold(name), [name, value]);
  }
  return Object.fromEntries(chosen.values());
}
