import { firstValueFrom, race, timer, map } from 'rxjs'
import {
  type PlatformProbe,
  type WalletProbe,
  type SharingProbe,
  type DiagnosisProbes,
  type DiagnosisCheck,
  failed,
  passed,
  skipped,
  warning,
  wordsOf,
} from './report.js'
import type { ChainNetwork } from '../../model/network.js'
import type { Limits } from './check-connection.js'

/** A timer of this duration, ms, and the delay from which on the page counts as throttled. */
const TIMER = 50
const THROTTLED = 500

/** How long a wallet may take to be injected, ms. */
const INJECTION = 500

export async function checkOnline({ online$ }: PlatformProbe): Promise<DiagnosisCheck> {
  return (await firstValueFrom(online$))
    ? passed('online', 'This device is online')
    : failed('online', 'This device is offline', 'Check the network connection of this device.')
}

/** Hidden pages are throttled: timers fire late, and animation frames not at all. */
export async function checkPage({ visible$, scheduler }: PlatformProbe): Promise<DiagnosisCheck> {
  if (!(await firstValueFrom(visible$))) {
    return warning(
      'page',
      'The page is hidden, and browsers throttle it',
      'Show the page; its state is then up to date.',
    )
  }
  const due = scheduler.now() + TIMER
  await firstValueFrom(timer(TIMER, scheduler))
  const late = Math.round(scheduler.now() - due)
  return late > THROTTLED
    ? warning(
        'page',
        `Timers fire ${late} ms late`,
        'Look for long tasks on the main thread, or throttling of the process.',
      )
    : passed('page', 'The page is visible, and timers fire in time')
}

/** Lists the wallets of the page, and compares the network of the connected one. Opens no window. */
export async function checkWallets(
  wallets: WalletProbe | null,
  network: ChainNetwork,
  { scheduler }: PlatformProbe,
): Promise<DiagnosisCheck> {
  if (wallets === null) return skipped('wallets', 'There is no page, so there are no wallets')
  const connected = wallets.connected()
  if (connected !== null && connected.network !== null && connected.network !== network) {
    const summary = `${connected.name} is connected with ${connected.network}, the app with ${network}`
    return failed('wallets', summary, `Switch the wallet to ${network}, or the app to the wallet's network.`)
  }
  const none$ = timer(INJECTION, scheduler).pipe(map(() => []))
  const found = await firstValueFrom(race(wallets.port.wallets$, none$), { defaultValue: [] })
  if (found.length === 0) return skipped('wallets', 'No wallet extension is installed')
  const names = found.map(({ info }) => info.name).join(', ')
  return passed('wallets', `Installed: ${names}`, connected === null ? '' : `${connected.name} is connected`)
}

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

/** The smallest module. */
const EMPTY_MODULE = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0)

/** A file above this size should be served compressed; ours has 11 MB. */
const LARGE = 1_000_000

/** Checks that WASM may be compiled here, and how its file is served. Fetches only the headers. */
export async function checkWasm({ wasm, platform }: DiagnosisProbes, limits: Limits): Promise<DiagnosisCheck> {
  if (wasm.kind === 'unused') return skipped('wasm', wasm.reason)
  try {
    await WebAssembly.compile(EMPTY_MODULE)
  } catch (error) {
    const remedy = "Add 'wasm-unsafe-eval' to script-src of the Content-Security-Policy, or use the option sdk: light."
    return failed('wasm', 'This page may not compile WASM', remedy, wordsOf(error))
  }
  try {
    const file = await wasm.locate()
    if (file.kind === 'given') return passed('wasm', 'The app provides the WASM file itself')
    if (file.kind === 'local') {
      return file.size === null
        ? failed('wasm', `There is no WASM file at ${file.url}`, 'Install the package again, or set wasmUrl.')
        : passed('wasm', `The WASM file lies at ${file.url}`, `${file.size} bytes`)
    }
    const signal = AbortSignal.any([limits.signal, AbortSignal.timeout(limits.timeout)])
    return describe(file.url, await platform.fetch(file.url, { method: 'HEAD', signal }))
  } catch (error) {
    if (limits.signal.aborted) throw error
    const remedy = 'Set wasmUrl to where kaspa_bg.wasm is served; from another origin it needs CORS headers.'
    return failed('wasm', 'The WASM file cannot be fetched', remedy, wordsOf(error))
  }
}

function describe(url: string, { ok, status, headers }: Response): DiagnosisCheck {
  const type = headers.get('content-type') ?? 'none'
  const size = Number(headers.get('content-length') ?? 0)
  const encoding = headers.get('content-encoding')
  const detail = `MIME type ${type}, ${size === 0 ? 'unknown size' : `${size} bytes`}, ${encoding ?? 'not compressed'}`
  const remedy = 'Copy dist/sdk/kaspa_bg.wasm to where the app serves it, or set wasmUrl.'
  if (!ok) return failed('wasm', `The WASM file at ${url} responds with status ${status}`, remedy, detail)
  if (type.startsWith('text/html')) return failed('wasm', `${url} is a web page, not the WASM file`, remedy, detail)
  if (!type.startsWith('application/wasm')) {
    const serve = 'Serve .wasm files as application/wasm, so that they are compiled while they arrive.'
    return warning('wasm', `The WASM file at ${url} has another MIME type than application/wasm`, serve, detail)
  }
  if (encoding === null && size > LARGE) {
    return warning(
      'wasm',
      `The WASM file at ${url} is not compressed`,
      'Serve it with gzip or brotli: a third of the size.',
      detail,
    )
  }
  return passed('wasm', `The WASM file at ${url} is served correctly`, detail)
}
