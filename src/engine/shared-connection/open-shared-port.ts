import { filter, fromEvent, map } from 'rxjs'
import type { NodePort } from '../../node/port.js'
import { holdOwnLock } from '../../platform/tabs.js'
import type { Platform } from '../../platform/port.js'
import { scopeOfName, createSharedPort, type SharedPortDeps } from '../../wrpc/shared/shared-port.js'
import type { ResolvedOptions } from '../resolve-options.js'
import { sharedOptions, type SharingDeps } from './connection-sharing.js'
import { openSharedWorker } from './open-shared-worker.js'

export interface OpenSharedPortDeps extends Pick<SharedPortDeps, 'own' | 'createNodeConnection'> {
  readonly options: ResolvedOptions
  readonly platform: Platform
  readonly sharing: SharingDeps
}

/** The `NodePort` over the shared worker of this page's origin. */
export function openSharedPort({ options, platform, sharing, ...deps }: OpenSharedPortDeps): NodePort {
  const { requestTimeout, maxFrameSize = platform.maxFrameSize ?? 2 ** 28 } = options
  const { name = 'vue-chain', workerUrl } = sharedOptions(options) ?? {}
  const { state$, ...engine } = sharing
  return createSharedPort({
    ...engine,
    ...deps,
    platform,
    requestTimeout,
    maxFrameSize,
    onState: (state) => state$.next(state),
    scope: scopeOfName(name),
    connectWorker: (onBlocked) => openSharedWorker(workerUrl, onBlocked),
    holdLock: holdOwnLock,
    newId: () => crypto.randomUUID(),
    restored$: fromEvent<PageTransitionEvent>(globalThis, 'pageshow').pipe(
      filter(({ persisted }) => persisted),
      map(() => undefined),
    ),
  })
}
