from renyi import Loader, gone
