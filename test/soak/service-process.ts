import { writeHeapSnapshot } from 'node:v8'
import { startService, type ServiceSettings } from './service.js'

type Request = 'usage' | { readonly snapshot: string }

/**
 * The process of a service: begins with the settings that its parent sends, replies to each `usage` with its figures,
 * and to a file with a heap snapshot in it.
 */
process.once('message', (settings: ServiceSettings) => {
  const usage = startService(settings)
  process.on('message', (request: Request) => {
    const reply = request === 'usage' ? usage() : usage().then(() => writeHeapSnapshot(request.snapshot))
    void reply.then((figures) => process.send?.(figures))
  })
  process.send?.('started')
})
process.on('disconnect', () => process.exit(0))
