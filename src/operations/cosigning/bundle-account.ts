import type { Steps } from '../../loading/steps.js'
import { toAddress } from '../../model/address.js'
import { NETWORKS } from '../../model/network.js'
import type { AccountValue, CosigningPath } from '../../model/cosigning/account-value.js'
import type { KeyOrigins, KeySource } from '../../model/pskb/records.js'
import { toScriptKey, type ScriptPublicKey } from '../../model/utxo.js'

/** An account of several signers, with the paths of the addresses that it follows. */
export interface ProposalAccount extends AccountValue {
  pathOf?(address: string): CosigningPath | undefined
}

/** What an account has at a path. */
export interface OwnScript {
  readonly path: CosigningPath
  /** Compressed, in the order of the script. */
  readonly publicKeys: readonly string[]
  readonly redeemScript: string
}

/** An account with the paths of its scripts, as far as they are known. */
export interface BundleAccount {
  readonly value: AccountValue
  /** The path of a script, where it is known. Derives nothing. */
  readonly pathOf: (script: ScriptPublicKey) => CosigningPath | undefined
  /** The same, else one that `origins` state, checked by derivation, which makes it known. */
  readonly findPath: (script: ScriptPublicKey, origins: KeyOrigins) => CosigningPath | undefined
  /** Derives the first addresses of all branches until these scripts are known, one for each step. */
  readonly search: (scripts: readonly ScriptPublicKey[]) => Steps<void>
  /** What it has there, derived once: a key takes a millisecond. */
  readonly scriptAt: (path: CosigningPath) => OwnScript
}

/** Indexes of each branch and chain that are searched where neither the account nor the text knows a path. */
const GAP = 20

/** The paths of an account. What is derived is kept. */
export function createBundleAccount(account: ProposalAccount): BundleAccount {
  const known = new Map<string, CosigningPath>()
  const scripts = new Map<string, OwnScript>()
  const prefix = NETWORKS[account.network].addressPrefix
  const first = firstPaths(account)

  const keyAt = (path: CosigningPath): string => toScriptKey(account.scriptPublicKey(path))
  const pathOf = (script: ScriptPublicKey): CosigningPath | undefined =>
    known.get(toScriptKey(script)) ?? account.pathOf?.(toAddress(script, prefix) ?? '')
  const scriptAt = (path: CosigningPath): OwnScript => {
    const key = `${path.cosigner}/${path.change}/${path.index}`
    const script = scripts.get(key) ?? {
      path,
      publicKeys: account.publicKeys(path),
      redeemScript: account.redeemScript(path),
    }
    scripts.set(key, script)
    return script
  }
  return {
    value: account,
    scriptAt,
    search: function* (scripts) {
      for (const key of new Set(scripts.map(toScriptKey)))
        while (!known.has(key)) {
          const { value: path } = first.next()
          if (path === undefined) return
          known.set(keyAt(path), path)
          yield
        }
    },
    pathOf,
    findPath: (script, origins) => {
      const found = pathOf(script)
      if (found !== undefined) return found
      const [stated, key] = [statedPath(origins, account), toScriptKey(script)]
      if (stated === undefined || keyAt(stated) !== key) return undefined // not kept: a text may state anything
      known.set(key, stated)
      return stated
    },
  }
}

/** By index, so that what is used is found early. */
function* firstPaths({ cosigners }: AccountValue): Generator<CosigningPath, undefined> {
  for (let index = 0; index < GAP; index++)
    for (const cosigner of cosigners.keys()) for (const change of [false, true]) yield { cosigner, change, index }
  return undefined
}

/** The last three steps of the first origin that is of a cosigner, or of any key: `m/cosigner/chain/index`. */
function statedPath(origins: KeyOrigins, { cosigners }: AccountValue): CosigningPath | undefined {
  for (const source of origins.values()) {
    const path = source === null ? undefined : toPath(source)
    if (path !== undefined && path.cosigner < cosigners.length) return path
  }
  return undefined
}

function toPath({ derivationPath }: KeySource): CosigningPath | undefined {
  const steps = derivationPath.split('/').slice(-3)
  if (steps.length < 3 || steps.some((step) => step === 'm' || step.endsWith("'"))) return undefined
  const [cosigner = 0, chain = 0, index = 0] = steps.map(Number)
  return chain > 1 ? undefined : { cosigner, change: chain === 1, index }
}

/** The origins of the keys at a path, for the other cosigners. */
export function originsOf({ cosigners, publicKeys }: AccountValue, path: CosigningPath): KeyOrigins {
  const derivationPath = `m/${path.cosigner}/${path.change ? 1 : 0}/${path.index}`
  return new Map(
    publicKeys(path).map((key, at) => [key, { keyFingerprint: cosigners[at]?.fingerprint ?? '', derivationPath }]),
  )
}
