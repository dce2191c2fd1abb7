from web.pages import blueprint
@blueprint.get("/dashboard")
def dashboard(): return "soon"
