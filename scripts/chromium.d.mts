/** Where a Chromium is; undefined where there is none. `CHROMIUM_PATH` names one. */
export function findChromium(): string | undefined
/** Finds a Chromium, or installs Debian's where that can be done; ends the process where it cannot. */
export function needChromium(): string
