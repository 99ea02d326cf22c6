import { start } from './paying-app.js'

start()
