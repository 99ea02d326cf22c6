import type { Limits } from './check-connection.js'
import type { DiagnosisProbes } from './probes.js'
import type { DiagnosisCheck } from './records.js'
import { failed, passed, skipped, warning, wordsOf } from './results.js'

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
