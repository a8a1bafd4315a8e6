// The script of a worker with an engine: new Worker(new URL('@renyi/engine/thread', ...), { type: 'module' }).
import { serve } from './worker.js';

serve(self);
