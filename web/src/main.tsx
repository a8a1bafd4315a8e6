// The beginning of the page: the state of the link, the first question to the engine, then what is seen.
import { effect } from '@preact/signals';
import { render } from 'preact';
import { Frame, view } from './app/frame';
import { followLink } from './app/link';
import './style.css';
import { start } from './whatif/state';

followLink();
let isStarted = false;
effect(() => {
  // A page that is opened at another view computes nothing until this one is wanted.
  if (isStarted || view.value !== 'what-if') return;
  isStarted = true;
  start();
});
const page = document.getElementById('page');
if (page) render(<Frame />, page);
