import { firstValueFrom } from 'rxjs'
import { redact } from '../errors/redact.js'
import type { DiagnosisProbes, DiagnosisTarget, WalletProbe, WasmProbe } from '../operations/diagnosis/report.js'
import { type CoreParts, feature } from './core-parts.js'
import { restClients } from './features/rest.js'
import { sharing } from './features/sharing.js'
import { wallet } from './features/wallet.js'
import { openNode, openResolver, openWallets, wasmLocation } from './open-ports.js'
import { toTarget } from './resolve-options.js'
import { sharedOptions } from './shared-connection/connection-sharing.js'

/** What the checks of a diagnosis use of a core. */
export async function createProbes(core: CoreParts): Promise<DiagnosisProbes> {
  const { options, platform } = core
  const target = await targetOf(core)
  const { network, encoding } = target
  const { reason, tabs } = await firstValueFrom(feature(core, sharing).state$)
  const rest = feature(core, restClients).current({ retries: 0 })
  const resolve = openResolver(options, platform)
  return {
    target,
    node: openNode(options, platform),
    resolve: () => resolve({ network, encoding, avoid: new Set() }),
    rest: {
      baseUrl: redact(rest.baseUrl, rest.baseUrl),
      chain: async ({ signal, timeout }) => {
        const { networkName, virtualDaaScore } = await rest.getBlockDag({ signal, timeout, forceRefresh: true })
        return { networkName, virtualDaaScore }
      },
    },
    wasm: wasmProbe(core),
    wallets: await walletProbe(core),
    platform,
    sharing: { isRequested: sharedOptions(options) !== null, reason, tabs },
  }
}

/** The endpoint in use, else the one that a connection would try first. */
async function targetOf(core: CoreParts): Promise<DiagnosisTarget> {
  const network = core.network()
  const { urls, resolver, encoding } = toTarget(core.options, { network })
  const session = await firstValueFrom(core.session$, { defaultValue: null })
  const used = session?.connection.endpoint
  const url = used?.url ?? urls[0] ?? null
  return {
    network,
    encoding: used?.encoding ?? encoding,
    url,
    others: urls.filter((other) => other !== url).length,
    resolver,
  }
}

function wasmProbe({ options: { sdk, ports, wasmUrl } }: CoreParts): WasmProbe {
  const unused = (reason: string): WasmProbe => ({ kind: 'unused', reason })
  if (typeof sdk === 'object') return unused('The app uses `light`, which needs no WASM file')
  if (sdk !== undefined || ports?.sdk !== undefined) return unused('The app provides its own SDK')
  return { kind: 'file', locate: () => wasmLocation(wasmUrl) }
}

/** Servers and workers have no wallets. */
async function walletProbe(core: CoreParts): Promise<WalletProbe | null> {
  if (core.options.ports?.wallets === undefined && !('document' in globalThis)) return null
  const port = await openWallets(core.options, core.platform)
  return {
    port,
    connected: () => {
      const { status, wallet: info, network } = feature(core, wallet).state
      return status === 'connected' && info !== null ? { name: info.name, network } : null
    },
  }
}
