import { startService, type ServiceSettings } from './service.js'

/** The process of a service: begins with the settings that its parent sends, and replies to each `usage`. */
process.once('message', (settings: ServiceSettings) => {
  const usage = startService(settings)
  process.on('message', () => void usage().then((figures) => process.send?.(figures)))
  process.send?.('started')
})
process.on('disconnect', () => process.exit(0))
