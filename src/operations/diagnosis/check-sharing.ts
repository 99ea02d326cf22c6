import type { SharingProbe } from './probes.js'
import type { DiagnosisCheck } from './records.js'
import { passed, skipped, warning } from './results.js'

const REMEDIES: Readonly<Record<string, string>> = {
  unsupported: 'Serve the page over https, in a browser with SharedWorker, Web Locks and IndexedDB.',
  blocked: "Serve the worker's file, and allow it by worker-src 'self'; see docs/bundlers.md.",
  unresponsive: 'Close the other tabs of this app, or restart the browser.',
  'storage-failed': "Free space, or allow the site's data; each payment tries again.",
}

/** Whether tabs share what the option `shared` says. Without it the tab works alone, so nothing here fails. */
export function checkSharing({ isRequested, reason, tabs }: SharingProbe): DiagnosisCheck {
  if (!isRequested) return skipped('sharing', 'The app shares nothing between tabs')
  if (reason !== null) return warning('sharing', `Tabs share less than requested: ${reason}`, REMEDIES[reason] ?? '')
  return passed('sharing', 'Tabs share what was requested', tabs === null ? '' : `${tabs} on one connection`)
}
