// The beginning of the page: the state of the link, the first question to the engine, then what is seen.
import { render } from 'preact';
import { Frame } from './app/frame';
import { followLink } from './app/link';
import './style.css';
import { start } from './whatif/state';

followLink();
start();
const page = document.getElementById('page');
if (page) render(<Frame />, page);
