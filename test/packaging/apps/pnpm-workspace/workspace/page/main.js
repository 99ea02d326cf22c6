import { start } from 'payments'

start()
